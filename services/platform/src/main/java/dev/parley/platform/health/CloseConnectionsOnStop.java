package dev.parley.platform.health;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * While the process stops each answer ends its connection. Otherwise the next request would come by it at the moment in which nobody
 * reads it any more, and its sender could not tell whether it was heard; a connection that is refused tells.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class CloseConnectionsOnStop {
    private final Draining draining;

    CloseConnectionsOnStop(Draining draining) {
        this.draining = draining;
    }

    @ResponseFilter
    void answered(MutableHttpResponse<?> response) {
        if (draining.begun()) {
            response.header(HttpHeaders.CONNECTION, "close");
        }
    }
}
