#include "curl_multi_shim.h"
