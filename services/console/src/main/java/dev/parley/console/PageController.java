package dev.parley.console;

import dev.parley.console.Assets.Asset;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Public;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves the console and its files, without authentication as they hold no data. A content security policy limits the
 * page to its own scripts, requests to this server, and no frames.
 */
@Hidden
@Controller
@Public
class PageController {
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'";

    private static final String TAGS = "META-INF/resources/_static/htm/3.1.1/dist/htm.module.js";
    private static final String PREACT = "META-INF/resources/webjars/preact/10.28.0/";

    private final Assets assets = new Assets(Map.of(
            "lib/htm.js", TAGS,
            "lib/preact-core.js", PREACT + "dist/preact.module.js",
            "lib/preact-hooks.js", PREACT + "hooks/dist/hooks.module.js"));

    @Get("/")
    HttpResponse<byte[]> page(@Nullable @Header(HttpHeaders.IF_NONE_MATCH) String etag) {
        return file("index.html", etag);
    }

    @Get("/console/{+name}")
    HttpResponse<byte[]> file(@PathVariable String name, @Nullable @Header(HttpHeaders.IF_NONE_MATCH) String etag) {
        Asset asset = assets.find(name)
                .orElseThrow(() -> ApiException.notFound("unknown_file", "The console has no such file"));
        MutableHttpResponse<byte[]> answer = asset.tag().equals(etag)
                ? HttpResponse.notModified()
                : HttpResponse.ok(asset.bytes()).contentType(MediaType.of(asset.type()));
        return answer.header(HttpHeaders.ETAG, asset.tag())
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("Content-Security-Policy", POLICY)
                .header("X-Frame-Options", "DENY")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin");
    }
}
