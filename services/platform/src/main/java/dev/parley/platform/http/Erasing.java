package dev.parley.platform.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.UUID;

/** Where the receipt of an erasure is to be found. */
@Serdeable
@Schema(name = "Erasing", description = "Where the receipt is: GET /v1/erasures/{erasure}.")
public record Erasing(UUID erasure) {
    /** The answer to somebody who asked for one. */
    public static HttpResponse<Erasing> accepted(UUID erasure) {
        return HttpResponse.<Erasing>accepted()
                .header(HttpHeaders.LOCATION, "/v1/erasures/" + erasure)
                .body(new Erasing(erasure));
    }
}
