package dev.parley.platform.health;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * Closes connections after each response while the process stops. Otherwise a client could send a request on a
 * connection that is no longer read, without knowing whether it was received; a refused connection is unambiguous.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class CloseConnectionsOnStop {
    private final Draining draining;

    CloseConnectionsOnStop(Draining draining) {
        this.draining = draining;
    }

    @ResponseFilter
    void onResponse(MutableHttpResponse<?> response) {
        if (draining.hasBegun()) {
            response.header(HttpHeaders.CONNECTION, "close");
        }
    }
}
