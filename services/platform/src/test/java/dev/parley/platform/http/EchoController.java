package dev.parley.platform.http;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Endpoints for testing the behaviour that all endpoints share. */
@Controller
@Requires(property = "test.echo")
class EchoController {
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Said(
            String text,
            @Nullable Integer times,
            @Nullable List<Piece> pieces,
            @Nullable Map<String, Integer> counts,
            @Nullable Boolean loud) {
        Said {
            if (text == null) {
                throw ApiException.badRequest("missing_field", "The field 'text' is missing");
            }
        }
    }

    @Serdeable
    record Piece(
            @JsonProperty("where") String place, @Nullable Instant at) {}

    @Post("/v1/echo")
    Said echo(@Body Said said, Caller caller) {
        return said;
    }

    @Get("/v1/number/{n}")
    int number(int n) {
        return n;
    }

    @Get("/v1/broken")
    String broken() {
        throw new IllegalStateException("the password is hunter2");
    }

    @Get("/v1/busy")
    String busy() {
        throw new ApiException(HttpStatus.TOO_MANY_REQUESTS, "queue_full", "too many")
                .retryAfter(Duration.ofSeconds(2));
    }

    @Get("/v1/sessions/a/events")
    String events(Caller caller) {
        return caller.user();
    }

    @Get("/prometheus")
    String metrics() {
        return "metrics";
    }
}
