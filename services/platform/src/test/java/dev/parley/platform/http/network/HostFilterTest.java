package dev.parley.platform.http.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.http.Problem;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as bytes, since clients do not send such headers. */
class HostFilterTest {
    private static EmbeddedServer server;

    @BeforeAll
    static void start() {
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "test.echo",
                        true,
                        "parley.admin-key",
                        "secret",
                        "parley.url",
                        "https://parley.example.com",
                        "parley.trusted-proxies",
                        "127.0.0.2/32",
                        "micronaut.server.host",
                        "0.0.0.0",
                        "micronaut.server.port",
                        -1));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String send(String request, String... headers) throws IOException {
        return sendTo("127.0.0.1", request, headers);
    }

    /** The response to a request with these header lines, over a connection from the same address. */
    private static String sendTo(String address, String request, String... headers) throws IOException {
        try (var socket =
                new Socket(InetAddress.getByName(address), server.getPort(), InetAddress.getByName(address), 0)) {
            socket.setSoTimeout(10_000);
            String head = request + "\r\n"
                    + String.join(
                            "", Stream.of(headers).map(line -> line + "\r\n").toList());
            socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int status(String response) {
        return Integer.parseInt(response.split(" ")[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health/live",
                "GET /prometheus",
                "GET /v1/nothing",
                "GET /nowhere",
                "GET /v1/number/1",
                "POST /v1/number/1",
                "OPTIONS /v1/echo",
                "HEAD /v1/busy",
                "GET /v1/sessions/a/events?ticket=a.b",
                "GET //v1/number/1",
                "FOO /v1/number/1",
            })
    @Tag("B50")
    void everyPathRefusesForeignNames(String request) throws IOException {
        assertEquals(421, status(send(request + " HTTP/1.1", "Host: evil.example", "Authorization: Bearer secret")));
        assertEquals(400, status(send(request + " HTTP/1.1", "Authorization: Bearer secret")));
        assertEquals(400, status(send(request + " HTTP/1.1", "Host: localhost", "Host: localhost")));
        assertEquals(400, status(send(request + " HTTP/1.1", "Host: localhost", "host: evil.example")));
    }

    @Test
    void theRefusalIsAProblem() throws IOException {
        String response = send("GET /v1/number/1 HTTP/1.1", "Host: evil.example");
        assertTrue(response.contains(Problem.MEDIA_TYPE), response);
        assertTrue(response.contains("\"code\":\"unknown_host\""), response);
        assertTrue(response.contains("PARLEY_HOSTS"), response);
        assertFalse(response.contains("dev.parley"), response);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/number/1 HTTP/1.1 | Host: 127.0.0.1:9 | 200",
                "/v1/number/1 HTTP/1.1 | Host: parley.example.com | 200",
                "/v1/number/1 HTTP/1.1 | Host:   LOCALHOST   | 200",
                "/v1/number/1 HTTP/1.1 | Host: a@localhost | 400",
                "/v1/number/1 HTTP/1.1 | Host: local host | 400",
                "/v1/number/1 HTTP/1.1 | Host: localhost. | 400",
                "/v1/number/1 HTTP/1.1 | Host: bücher.example | 400",
                "/v1/number/1 HTTP/1.1 | Host: | 400",
                "/v1/number/1 HTTP/1.1 | Host: localhost, evil.example | 400",
                "http://localhost/v1/number/1 HTTP/1.1 | Host: localhost | 200",
                "http://evil.example/v1/number/1 HTTP/1.1 | Host: localhost | 421",
                "http://localhost/v1/number/1 HTTP/1.1 | Host: evil.example | 421",
                "http://a@localhost/v1/number/1 HTTP/1.1 | Host: localhost | 400",
                "/v1/number/1 HTTP/1.0 | Accept: */* | 200",
                "/v1/number/1 HTTP/1.0 | Host: evil.example | 421",
                "/v1/number/1 HTTP/1.1 | X-Forwarded-Host: localhost | 400",
            })
    @Tag("B50")
    void formsOfNames(String target, String header, int status) throws IOException {
        String response = send("GET " + target, header, "Authorization: Bearer secret");
        assertEquals(status, status(response), response);
    }

    @Test
    @Tag("B51")
    void namesOfProxiesAreCheckedToo() throws IOException {
        // Given
        String[] headers = {"Host: localhost", "X-Forwarded-Host: evil.example", "Authorization: Bearer secret"};

        // Then
        assertEquals(200, status(send("GET /v1/number/1 HTTP/1.1", headers)), "not from a proxy");
        assertEquals(421, status(sendTo("127.0.0.2", "GET /v1/number/1 HTTP/1.1", headers)));
        String[] behind = {"Host: evil.example", "X-Forwarded-Host: localhost", "Authorization: Bearer secret"};
        assertEquals(421, status(sendTo("127.0.0.2", "GET /v1/number/1 HTTP/1.1", behind)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | Origin: http://evil.example | 403",
                "POST | Origin: null | 403",
                "POST | Sec-Fetch-Site: cross-site | 403",
                "POST | Sec-Fetch-Site: same-site | 403",
                "PUT | Origin: http://localhost:3000 | 403",
                "DELETE | Origin: http://evil.example | 403",
                "PATCH | Origin: https://parley.example.com.evil.example | 403",
                "GET | Origin: http://evil.example | 401", // reads reveal nothing: pages of other sites see no response
                "POST | Origin: http://parley.example.com | 401",
                "POST | Origin: https://parley.example.com | 401",
                "POST | Sec-Fetch-Site: same-origin | 401",
                "POST | Accept: */* | 401",
            })
    @Tag("B52")
    void pagesOfOtherSitesDoNothingWithoutAKey(String method, String header, int status) throws IOException {
        String response =
                send(method + " /v1/number/1 HTTP/1.1", "Host: parley.example.com", header, "Content-Length: 0");
        assertEquals(status, status(response), response);
    }

    @Test
    void withAKeyAnyPageMayAct() throws IOException {
        String response = send(
                "POST /v1/echo HTTP/1.1",
                "Host: parley.example.com",
                "Origin: https://app.example.com",
                "Authorization: Bearer secret",
                "Content-Type: application/json",
                "Content-Length: 0");
        assertEquals(400, status(response), response);
    }

    @Test
    @Tag("B53")
    void browsersAreToldToUseTlsWhereThePublicUrlDoes() throws IOException {
        // Given
        String plain = send("GET /health/live HTTP/1.1", "Host: localhost");
        String terminated =
                sendTo("127.0.0.2", "GET /health/live HTTP/1.1", "Host: localhost", "X-Forwarded-Proto: http");

        // Then
        assertTrue(plain.toLowerCase(Locale.ROOT).contains("strict-transport-security: max-age=31536000"), plain);
        assertFalse(terminated.toLowerCase(Locale.ROOT).contains("strict-transport-security"), terminated);
    }
}
