package dev.parley.mcp;

import dev.parley.platform.http.Open;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Hidden;

/**
 * Says how the endpoint is opened (RFC 9728): with a key of Parley as a bearer token. No authorization server is named, for Parley is none:
 * people make keys, or sign in.
 */
@Hidden
@Controller
@Open
@Requires(property = "parley.role.mcp", value = "true")
class MetadataController {
    static final String PATH = "/.well-known/oauth-protected-resource";

    private final PublicUrl url;

    MetadataController(PublicUrl url) {
        this.url = url;
    }

    /** What the endpoint is. */
    @Get(uris = {PATH, PATH + "/mcp"})
    HttpResponse<byte[]> metadata() {
        var json = Json.object().put("resource", url.of("/mcp").toString()).put("resource_name", "Parley");
        json.putArray("bearer_methods_supported").add("header");
        return HttpResponse.ok(Json.bytes(json))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "max-age=300");
    }
}
