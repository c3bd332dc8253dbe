package dev.parley.console;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and sign-in of the console, over HTTP. */
class ConsoleTest {
    private static EmbeddedServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "parley.role.console",
                        "true",
                        "parley.role.sessions",
                        "true",
                        "parley.admin-key",
                        "secret",
                        "micronaut.server.port",
                        -1));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"))
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String signedIn() throws IOException, InterruptedException {
        var answer = send("POST", "/console/sign-in", "Authorization", "Bearer secret");
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.headers().firstValue("Set-Cookie").orElseThrow();
    }

    private static String cookie() throws IOException, InterruptedException {
        return signedIn().split(";")[0];
    }

    @Test
    void signInExchangesAKeyForAnHttpOnlySameSiteCookie() throws Exception {
        String cookie = signedIn();
        assertTrue(cookie.toLowerCase(java.util.Locale.ROOT).contains("httponly"), cookie);
        assertTrue(cookie.contains("SameSite=Strict"), cookie);
        assertFalse(cookie.contains("secret"), "the key itself is not in it");

        var rights = send("GET", "/console/rights", "Cookie", cookie.split(";")[0]);
        assertEquals(200, rights.statusCode());
        assertTrue(rights.body().contains("\"administrator\":true"), rights.body());
        assertTrue(rights.body().contains("\"roles\":[\"console\",\"sessions\"]"), rights.body());
    }

    @Test
    void rejectsMissingAndInvalidKeysAndForgedCookies() throws Exception {
        assertEquals(401, send("GET", "/console/rights").statusCode());
        assertEquals(401, send("POST", "/console/sign-in").statusCode());
        assertEquals(
                401,
                send("POST", "/console/sign-in", "Authorization", "Bearer wrong")
                        .statusCode());
        String forged = "parley-sign-in=OTk5OTk5OTk5OQphZG1pbg.AAAA";
        assertEquals(401, send("GET", "/console/rights", "Cookie", forged).statusCode());
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, same-origin, 200",
        "Sec-Fetch-Site, none, 200",
        "Sec-Fetch-Site, cross-site, 401",
        "Sec-Fetch-Site, same-site, 401",
        "Origin, http://evil.example, 403",
        "Origin, null, 403",
    })
    void cookieIsValidForSameOriginRequestsOnly(String header, String value, int status) throws Exception {
        assertEquals(
                status,
                send("GET", "/console/rights", "Cookie", cookie(), header, value)
                        .statusCode());
    }

    @Test
    void acceptsItsOriginFromBrowsersWithoutFetchMetadata() throws Exception {
        String origin = server.getURI().toString();
        assertEquals(
                200,
                send("GET", "/console/rights", "Cookie", cookie(), "Origin", origin)
                        .statusCode());
    }

    @Test
    void changesByCookieNeedTheParleyPageHeader() throws Exception {
        String cookie = cookie();
        assertEquals(401, send("POST", "/console/sign-in", "Cookie", cookie).statusCode());
        assertEquals(
                200,
                send("POST", "/console/sign-in", "Cookie", cookie, "Parley-Page", "1")
                        .statusCode());
        assertEquals(
                403,
                send("POST", "/console/sign-in", "Cookie", cookie, "Parley-Page", "1", "Sec-Fetch-Site", "cross-site")
                        .statusCode());
    }

    @Test
    void signOutRemovesBothCookies() throws Exception {
        var answer = send("DELETE", "/console/sign-in");
        assertEquals(204, answer.statusCode());
        var cookies = answer.headers().allValues("Set-Cookie");
        assertEquals(2, cookies.size(), cookies.toString());
        cookies.forEach(cookie -> assertTrue(cookie.contains("Max-Age=0"), cookie));
    }

    @Test
    void pageAllowsOnlyItsOwnScriptsAndNoFraming() throws Exception {
        var page = send("GET", "/");
        assertEquals(200, page.statusCode());
        assertFalse(page.body().contains("<script>"), "no script stands in the page itself");
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertTrue(policy.contains("default-src 'none'; script-src 'self'"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertEquals("DENY", page.headers().firstValue("X-Frame-Options").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.js",
                "app.css",
                "icon.svg",
                "pages/overview.js",
                "lib/htm.js",
                "lib/preact.js",
                "lib/preact-core.js",
                "lib/preact-hooks.js"
            })
    void unchangedFilesReturnNotModified(String name) throws Exception {
        var first = send("GET", "/console/" + name);
        assertEquals(200, first.statusCode());
        assertTrue(first.body().length() > 100, name);
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertEquals(304, send("GET", "/console/" + name, "If-None-Match", tag).statusCode());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/nothing.js",
                "/console/../application.yml",
                "/console/%2e%2e/%2e%2e/etc/passwd",
                "/console/lib/../app.js",
                "/console//etc/passwd.js",
                "/console/APP.JS",
                "/console/pages",
                "/console/index.class",
            })
    void otherPathsReturn404(String path) throws Exception {
        assertEquals(404, send("GET", path).statusCode());
    }

    @Test
    void servesFilesOfTheClassPathUnchanged() throws Exception {
        byte[] expected;
        try (var in = ConsoleTest.class.getResourceAsStream("/console/app.css")) {
            expected = in.readAllBytes();
        }
        assertArrayEquals(
                expected, new Assets(Map.of()).find("app.css").orElseThrow().bytes());
    }
}
