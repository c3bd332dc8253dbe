package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.List;
import java.util.Optional;

/**
 * OAuth protected-resource metadata (RFC 9728): the endpoint accepts an API key or a token of a configured issuer as a
 * bearer token. Parley is not an authorization server.
 */
@Hidden
@Controller
@Public
class MetadataController {
    static final String PATH = "/.well-known/oauth-protected-resource";

    private final PublicUrl url;
    private final List<String> issuers;

    MetadataController(PublicUrl url, Optional<ParleyConfig> config) {
        this.url = url;
        this.issuers = config.map(settings -> settings.signIn().issuers()).orElse(List.of()).stream()
                .map(TokenIssuerConfig::issuer)
                .toList();
    }

    /** The metadata of the endpoint. */
    @Get(uris = {PATH, PATH + "/mcp"})
    HttpResponse<byte[]> metadata() {
        return HttpResponse.ok(McpJson.bytes(metadata(url.of("/mcp").toString(), issuers)))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "max-age=300");
    }

    static ObjectNode metadata(String resource, List<String> issuers) {
        ObjectNode json = McpJson.object().put("resource", resource).put("resource_name", "Parley");
        if (!issuers.isEmpty()) {
            issuers.forEach(json.putArray("authorization_servers")::add);
        }
        json.putArray("bearer_methods_supported").add("header");
        return json;
    }
}
