package dev.parley.control.identity;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPResponse;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** HTTP client for identity providers: 10 s per call, responses under 1 MiB, no redirects. */
public final class Transport implements HTTPRequestSender, ResourceRetriever, AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final long MAX_BYTES = 1 << 20;

    private final OkHttpClient http = new OkHttpClient.Builder()
            .connectTimeout(CONNECT_TIMEOUT)
            .callTimeout(CALL_TIMEOUT)
            .followRedirects(false)
            .build();

    @Override
    public ReadOnlyHTTPResponse send(ReadOnlyHTTPRequest request) throws IOException {
        var builder = new Request.Builder().url(request.getURL());
        request.getHeaderMap().forEach((name, values) -> values.forEach(value -> builder.addHeader(name, value)));
        String method = request.getMethod().name();
        return call(builder.method(method, body(method, request.getBody())).build());
    }

    private static @Nullable RequestBody body(String method, @Nullable String text) {
        return method.equals("GET")
                ? null
                : RequestBody.create((text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        HTTPResponse response = call(new Request.Builder()
                .url(url)
                .header("Accept", "application/json")
                .build());
        if (response.getStatusCode() != HTTPResponse.SC_OK) {
            throw new IOException(url + " answered " + response.getStatusCode());
        }
        return new Resource(response.getBody(), response.getHeaderValue("Content-Type"));
    }

    private HTTPResponse call(Request request) throws IOException {
        try (Response response = http.newCall(
                        request.newBuilder().header("User-Agent", "parley").build())
                .execute()) {
            if (response.body().source().request(MAX_BYTES)) {
                throw new IOException(request.url().redact() + " answers more than " + MAX_BYTES + " bytes");
            }
            var read = new HTTPResponse(response.code());
            String type = response.header("Content-Type");
            if (type != null) {
                read.setContentType(type);
            }
            read.setBody(response.body().string());
            return read;
        } catch (ParseException e) {
            throw new IOException(request.url().redact() + " has an invalid content type", e);
        }
    }

    @Override
    public void close() {
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }
}
