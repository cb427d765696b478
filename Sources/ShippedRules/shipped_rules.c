#include "shipped_rules.h"
