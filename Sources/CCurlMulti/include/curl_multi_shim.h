#pragma once
// What Swift cannot say to libcurl: its variadic calls, and its macros.
#include <curl/curl.h>
