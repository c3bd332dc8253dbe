/** Names and addresses of the server and of its clients, behind proxies or not. */
@NullMarked
package dev.parley.platform.http.network;

import org.jspecify.annotations.NullMarked;
