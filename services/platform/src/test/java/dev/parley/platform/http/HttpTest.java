package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.signin.Tickets;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTest {
    private static EmbeddedServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "test.echo",
                        true,
                        "parley.admin-key",
                        "secret",
                        "micronaut.server.port",
                        -1,
                        "micronaut.server.max-request-size",
                        10_000));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + path)).method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path, String key) throws Exception {
        return send("GET", path, BodyPublishers.noBody(), "Authorization", "Bearer " + key, "Accept", "text/html, */*");
    }

    private static HttpResponse<String> post(String path, byte[] body) throws Exception {
        return send(
                "POST",
                path,
                BodyPublishers.ofByteArray(body),
                "Authorization",
                "Bearer secret",
                "Content-Type",
                "application/json");
    }

    private static void isProblem(int status, String code, String detail, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(Problem.MEDIA_TYPE));
        assertTrue(response.body().contains("\"code\":\"" + code + "\""), response.body());
        assertTrue(response.body().contains(detail), response.body());
        assertTrue(response.body().contains("\"instance\":\"/"), response.body());
        assertFalse(response.body().contains("Exception"), response.body());
        assertFalse(response.body().contains("dev.parley"), response.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"text\":\"a\",\"x\":1}    | unknown_field | Unknown field 'x'",
                "{\"times\":1}               | missing_field | 'text'",
                "{\"text\":                  | bad_request   | The body is not valid JSON: Unexpected end-of-input within/between Object entries (line 1, column 9)",
                "{\"text\":nothing}          | bad_request   | The body is not valid JSON: Unrecognized token 'nothing'",
                "[]                          | bad_request   | The body is an object",
                "{\"text\":{}}               | invalid_field | The field 'text' is a text",
                "{\"text\":\"a\",\"times\":\"many\"} | invalid_field | The field 'times' is a whole number",
                "{\"text\":\"a\",\"loud\":[]} | invalid_field | The field 'loud' is true or false",
                "{\"text\":\"a\",\"pieces\":7} | invalid_field | The field 'pieces[0]' is an object",
                "{\"text\":\"a\",\"pieces\":[{\"where\":{}}]} | invalid_field | The field 'pieces[0].where' is a text",
                "{\"text\":\"a\",\"pieces\":[{\"where\":\"x\",\"at\":\"noon\"}]} | invalid_field | The field 'pieces[0].at' is a time, such as 1970-01-01T00:00:00Z",
                "{\"text\":\"a\",\"counts\":{\"b\":\"c\"}} | invalid_field | The field 'counts.b' is a whole number",
                "''                          | bad_request   | The body is missing",
            })
    void rejectsAnInvalidBodyAndNamesTheFault(String body, String code, String detail) throws Exception {
        isProblem(400, code, detail == null ? "" : detail, post("/v1/echo", body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void rejectsInvalidUtf8() throws Exception {
        byte[] body = "{\"text\":\"a?b\"}".getBytes(StandardCharsets.UTF_8);
        body[10] = (byte) 0xC3;
        isProblem(400, "invalid_utf8", "", post("/v1/echo", body));
    }

    @Test
    void rejectsAnOversizedBody() throws Exception {
        String body = "{\"text\":\"" + "a".repeat(20_000) + "\"}";
        isProblem(413, "too_large", "", post("/v1/echo", body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void internalErrorHidesItsCause() throws Exception {
        var response = get("/v1/broken", "secret");
        isProblem(500, "internal_error", "log", response);
        assertFalse(response.body().contains("hunter2"));
    }

    @Test
    void rejectsAnUnknownPathMethodParameterOrMediaType() throws Exception {
        // Then
        isProblem(404, "not_found", "/v1/nothing", get("/v1/nothing", "secret"));
        isProblem(405, "method_not_allowed", "", get("/v1/echo", "secret"));
        isProblem(400, "bad_request", "The parameter 'n' is a whole number", get("/v1/number/five", "secret"));
        isProblem(
                415,
                "unsupported_media_type",
                "",
                send(
                        "POST",
                        "/v1/echo",
                        BodyPublishers.ofString("<a/>"),
                        "Authorization",
                        "Bearer secret",
                        "Content-Type",
                        "application/xml"));
    }

    @Test
    void problemCarriesRetryAfter() throws Exception {
        var response = get("/v1/busy", "secret");
        isProblem(429, "queue_full", "too many", response);
        assertEquals("2", response.headers().firstValue("Retry-After").orElse(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/echo", "/v1/nothing", "/elsewhere", "//v1/echo", "/v1/sessions/a/events?ticket=a.b"})
    void rejectsRequestsWithoutAValidKey(String path) throws Exception {
        for (String key : new String[] {"wrong", "", "secret2"}) {
            var response = get(path, key);
            isProblem(401, "unauthorized", "", response);
            assertTrue(
                    response.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Bearer"));
        }
        isProblem(401, "unauthorized", "Authorization", send("GET", path, BodyPublishers.noBody()));
    }

    @Test
    void healthAndMetricsNeedNoKey() throws Exception {
        assertEquals(200, send("GET", "/health/live", BodyPublishers.noBody()).statusCode());
        assertEquals(200, send("GET", "/prometheus", BodyPublishers.noBody()).statusCode(), "bound to loopback");
    }

    @Test
    void ticketIsValidForStreamsOnly() throws Exception {
        // Given
        String ticket = server.getApplicationContext()
                .getBean(Tickets.class)
                .issue(Caller.installation(AccessDirectory.NOTHING))
                .ticket();

        // Then
        assertEquals(
                AccessDirectory.ADMIN.toString(),
                send("GET", "/v1/sessions/a/events?ticket=" + ticket, BodyPublishers.noBody())
                        .body());
        assertEquals(
                401,
                send("GET", "/v1/number/5?ticket=" + ticket, BodyPublishers.noBody())
                        .statusCode());
    }
}
