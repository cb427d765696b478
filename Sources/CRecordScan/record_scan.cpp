#include "record_scan.h"
