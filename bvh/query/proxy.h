/* proxy.h: what meets the proxy of an object.
 * Callers  hold the floating-point environment, and have turned away what is not valid. */
#ifndef SLI_QUERY_PROXY_H
#define SLI_QUERY_PROXY_H

#include <sightline/point_query.h>
#include <sightline/volume_query.h>

/* False, and the last argument left alone, where the proxy is not met; else it is what the proxy
 * answers where it is asked instead of the tree. */
bool sli_proxy_ray(const sl_proxy *proxy, const sl_ray *ray, sl_hit *hit);
bool sli_proxy_segment(const sl_proxy *proxy, const sl_segment *segment, sl_hit *hit);
bool sli_proxy_volume(const sl_proxy *proxy, const sl_volume *volume);
bool sli_proxy_point(const sl_proxy *proxy, const float point[3], float limit, sl_nearest *nearest);

#endif
