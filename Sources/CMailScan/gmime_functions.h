// Declarations of the GMime 3 functions used here.
//
// GMime's headers are in a folder of their own, and its pkg-config file on Debian contains flags that SwiftPM rejects.
// Only `unsafeFlags` could name that folder, and a package with those cannot be used by version. Types are opaque. The
// functions belong to GMime's stable interface; where gmime.h is available, this command checks that the file agrees
// with it:
//
//     echo '#include <gmime/gmime.h>
//     #include "gmime_functions.h"' | cc -ISources/CMailScan $(pkg-config --cflags gmime-3.0) -fsyntax-only -xc -
#pragma once
#include <glib-object.h>
#include <iconv.h>
#include <sys/types.h>

typedef struct _GMimeContentType GMimeContentType;
typedef struct _GMimeDataWrapper GMimeDataWrapper;
typedef struct _GMimeHeader GMimeHeader;
typedef struct _GMimeHeaderList GMimeHeaderList;
typedef struct _GMimeMessage GMimeMessage;
typedef struct _GMimeMultipart GMimeMultipart;
typedef struct _GMimeObject GMimeObject;
typedef struct _GMimeParser GMimeParser;
typedef struct _GMimeParserOptions GMimeParserOptions;
typedef struct _GMimePart GMimePart;
typedef struct _GMimeStream GMimeStream;
typedef struct _GMimeStreamMem GMimeStreamMem;
typedef struct _InternetAddress InternetAddress;
typedef struct _InternetAddressGroup InternetAddressGroup;
typedef struct _InternetAddressList InternetAddressList;
typedef struct _InternetAddressMailbox InternetAddressMailbox;

#ifndef __GMIME_H__
typedef enum { GMIME_FORMAT_MESSAGE } GMimeFormat;

#define GMIME_OBJECT(object) ((GMimeObject *)(void *)(object))
#define GMIME_PART(object) ((GMimePart *)(void *)(object))
#define GMIME_MULTIPART(object) ((GMimeMultipart *)(void *)(object))
#define GMIME_STREAM_MEM(stream) ((GMimeStreamMem *)(void *)(stream))
#define INTERNET_ADDRESS_MAILBOX(address) ((InternetAddressMailbox *)(void *)(address))
#define INTERNET_ADDRESS_GROUP(address) ((InternetAddressGroup *)(void *)(address))
#define INTERNET_ADDRESS_IS_MAILBOX(address) \
    G_TYPE_CHECK_INSTANCE_TYPE((address), internet_address_mailbox_get_type())
#define INTERNET_ADDRESS_IS_GROUP(address) G_TYPE_CHECK_INSTANCE_TYPE((address), internet_address_group_get_type())
#define GMIME_IS_PART(object) G_TYPE_CHECK_INSTANCE_TYPE((object), g_mime_part_get_type())
#define GMIME_IS_MULTIPART(object) G_TYPE_CHECK_INSTANCE_TYPE((object), g_mime_multipart_get_type())
#endif

GType g_mime_part_get_type(void);
GType g_mime_multipart_get_type(void);
GType internet_address_mailbox_get_type(void);
GType internet_address_group_get_type(void);
char *g_mime_content_type_get_mime_type(GMimeContentType *content_type);
gboolean g_mime_content_type_is_type(GMimeContentType *content_type, const char *type, const char *subtype);
ssize_t g_mime_data_wrapper_write_to_stream(GMimeDataWrapper *wrapper, GMimeStream *stream);
const char *g_mime_header_get_name(GMimeHeader *header);
const char *g_mime_header_get_raw_value(GMimeHeader *header);
const char *g_mime_header_get_value(GMimeHeader *header);
gboolean g_mime_header_list_contains(GMimeHeaderList *headers, const char *name);
int g_mime_header_list_get_count(GMimeHeaderList *headers);
GMimeHeader *g_mime_header_list_get_header(GMimeHeaderList *headers, const char *name);
GMimeHeader *g_mime_header_list_get_header_at(GMimeHeaderList *headers, int index);
int g_mime_iconv_close(iconv_t cd);
iconv_t g_mime_iconv_open(const char *to, const char *from);
void g_mime_init(void);
GDateTime *g_mime_message_get_date(GMimeMessage *message);
GMimeObject *g_mime_message_get_mime_part(GMimeMessage *message);
int g_mime_multipart_get_count(GMimeMultipart *multipart);
GMimeObject *g_mime_multipart_get_part(GMimeMultipart *multipart, int index);
GMimeContentType *g_mime_object_get_content_type(GMimeObject *object);
const char *g_mime_object_get_content_type_parameter(GMimeObject *object, const char *name);
const char *g_mime_object_get_disposition(GMimeObject *object);
const char *g_mime_object_get_header(GMimeObject *object, const char *header);
GMimeHeaderList *g_mime_object_get_header_list(GMimeObject *object);
GMimeMessage *g_mime_parser_construct_message(GMimeParser *parser, GMimeParserOptions *options);
GMimeParser *g_mime_parser_new_with_stream(GMimeStream *stream);
void g_mime_parser_options_free(GMimeParserOptions *options);
GMimeParserOptions *g_mime_parser_options_new(void);
void g_mime_parser_options_set_fallback_charsets(GMimeParserOptions *options, const char **charsets);
void g_mime_parser_set_format(GMimeParser *parser, GMimeFormat format);
GMimeDataWrapper *g_mime_part_get_content(GMimePart *mime_part);
const char *g_mime_part_get_filename(GMimePart *mime_part);
GByteArray *g_mime_stream_mem_get_byte_array(GMimeStreamMem *mem);
GMimeStream *g_mime_stream_mem_new(void);
void g_mime_stream_mem_set_byte_array(GMimeStreamMem *mem, GByteArray *array);
GDateTime *g_mime_utils_header_decode_date(const char *str);
char *g_mime_utils_header_decode_text(GMimeParserOptions *options, const char *text);
const char *internet_address_get_name(InternetAddress *ia);
InternetAddressList *internet_address_group_get_members(InternetAddressGroup *group);
InternetAddress *internet_address_list_get_address(InternetAddressList *list, int index);
int internet_address_list_length(InternetAddressList *list);
InternetAddressList *internet_address_list_parse(GMimeParserOptions *options, const char *str);
const char *internet_address_mailbox_get_addr(InternetAddressMailbox *mailbox);
