package dev.parley.platform.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.UUID;

/** Location of the receipt of an erasure. */
@Serdeable
@Schema(
        name = "Erasing",
        description = "Receipt of an erasure, which shows its progress; the Location header is its path.")
public record Erasing(UUID erasure) {
    /** The response to a request for an erasure. */
    public static HttpResponse<Erasing> accepted(UUID erasure) {
        return accepted("/v1/erasures/", erasure);
    }

    /** Like {@link #accepted(UUID)}, with another path of receipts. */
    public static HttpResponse<Erasing> accepted(String receipts, UUID erasure) {
        return HttpResponse.<Erasing>accepted()
                .header(HttpHeaders.LOCATION, receipts + erasure)
                .body(new Erasing(erasure));
    }
}
