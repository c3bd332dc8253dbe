package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.micronaut.http.HttpStatus;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ApiExceptionTest {
    @Test
    void copiesKeepTheCause() {
        var cause = new IOException("the disk is full");

        ApiException problem = new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "Try again.", cause)
                .retryAfter(Duration.ofSeconds(2))
                .etag("\"1\"");

        assertSame(cause, problem.getCause());
        assertEquals("Try again.", problem.getMessage());
    }
}
