package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.plugin.OwnPaths;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one request may cost: hostile bodies to each route that takes one, and random requests to all. */
class RequestCostIT {
    private static final Pattern VARIABLE = Pattern.compile("\\{([^:}]+)[^}]*}");
    private static final Set<String> BODIES = Set.of("POST", "PUT", "PATCH");

    /** Nobody waits longer for the answer to one hostile request, on a slow machine under load. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Bytes of a body that each route takes. */
    private static final int SMALLEST_LIMIT = 16 << 10;

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api admin;
    private static HttpClient http;

    @BeforeAll
    static void start() {
        servers = new Servers(folder);
        instance = servers.start("one");
        admin = Api.of(instance);
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        http.close();
        instance.close();
        servers.close();
    }

    private static List<UriRouteInfo<?, ?>> routes() {
        return instance.beans()
                .getBean(Router.class)
                .uriRoutes()
                .filter(route -> route.getDeclaringType().getName().startsWith("dev.parley."))
                .filter(route -> !route.getHttpMethodName().equals("HEAD"))
                .collect(Collectors.toList());
    }

    @Test
    @Tag("B172")
    void channelsAreKeptFromTheBeginningsOfAllRoutes() {
        // Given
        List<ChannelPlugin> channels = ServiceLoader.load(ChannelPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        Set<String> ofChannels = channels.stream()
                .flatMap(channel -> channel.inbound().stream())
                .map(InboundHttp::path)
                .collect(Collectors.toSet());

        // When
        Set<String> begins = instance.beans()
                .getBean(Router.class)
                .uriRoutes()
                .map(route -> route.getUriMatchTemplate().toPathString().split("[/{]"))
                .flatMap(path ->
                        Arrays.stream(path).filter(part -> !part.isEmpty()).limit(1))
                .collect(Collectors.toCollection(TreeSet::new));

        // Then
        assertEquals(Set.of("hooks", "slack", "teams", "telegram", "whatsapp"), ofChannels);
        begins.removeAll(ofChannels);
        Set<String> own = OwnPaths.of(instance.beans());
        assertTrue(own.containsAll(begins), begins + " and not " + own);
        assertTrue(own.containsAll(Set.of("v1", "console", "health")), own.toString());
    }

    /** The path of a route with plausible values. */
    private static String path(UriRouteInfo<?, ?> route) {
        return VARIABLE.matcher(route.getUriMatchTemplate().toPathString())
                .replaceAll(match -> switch (match.group(1)) {
                    case "project" -> "default";
                    case "key" -> "web:one";
                    case "id", "bank", "unit", "user", "call" -> "00000000-0000-0000-0000-000000000001";
                    default -> "x";
                });
    }

    /** The status of a response; its body matters where it is a fault of the server. */
    private record Status(int code, String text, Duration took) {}

    private static Status send(String method, String path, String key, String type, byte[] body, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(instance.url() + path))
                .timeout(PATIENCE)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (type != null) {
            request.header("Content-Type", type);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        long began = System.nanoTime();
        try {
            var response = answer(request.build());
            try (InputStream text = response.body()) {
                String read =
                        response.statusCode() < 500 ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8);
                return new Status(response.statusCode(), read, Duration.ofNanos(System.nanoTime() - began));
            }
        } catch (IOException e) {
            if (body == null || body.length < SMALLEST_LIMIT) {
                throw e;
            }
            // the server has closed the connection while the body was still being sent
            return new Status(413, "", Duration.ofNanos(System.nanoTime() - began));
        }
    }

    /** Sends again where the server has closed the connection after an earlier invalid request. */
    private static HttpResponse<InputStream> answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (HttpTimeoutException e) {
            throw new AssertionError("no answer to " + request, e);
        } catch (IOException e) {
            return http.send(request, BodyHandlers.ofInputStream());
        }
    }

    @Test
    @Tag("B35")
    void hostileBodiesAreRefusedByEachRouteWhileOthersAreServed() throws Exception {
        // Given
        var random = new Random(51);
        var done = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Duration>> others = threads.submit(() -> othersRequests(done));

            // When
            var faults = new ArrayList<String>();
            var slowest = Duration.ZERO;
            for (UriRouteInfo<?, ?> route : routes()) {
                if (BODIES.contains(route.getHttpMethodName())) {
                    for (HostileBody body : HostileBody.some(random)) {
                        Status answer = send(
                                route.getHttpMethodName(),
                                path(route),
                                admin.key(),
                                body.type(),
                                body.bytes(),
                                "If-Match",
                                "*",
                                body.name().equals("gzip") ? "Content-Encoding" : "X-None",
                                body.name().equals("gzip") ? "gzip" : "none");
                        slowest = slowest.compareTo(answer.took()) > 0 ? slowest : answer.took();
                        if (answer.code() >= 500) {
                            faults.add(
                                    route.getHttpMethodName() + " " + path(route) + " " + body + ": " + answer.text());
                        }
                    }
                }
            }
            done.set(true);

            // Then
            assertEquals("", String.join("\n", faults));
            List<Duration> times = others.get().stream().sorted().toList();
            System.out.println("slowest hostile " + slowest.toMillis() + " ms; others " + times.size() + ", median "
                    + times.get(times.size() / 2).toMillis() + " ms, 99% "
                    + times.get(times.size() * 99 / 100).toMillis()
                    + " ms, max " + times.getLast().toMillis());
            assertTrue(times.get(times.size() * 9 / 10).toMillis() < 1_000, times::toString);
        }
    }

    /** The time of each request of somebody else. */
    private static List<Duration> othersRequests(AtomicBoolean done) throws Exception {
        var times = new ArrayList<Duration>();
        while (!done.get()) {
            Status answer = send("GET", "/v1/me", admin.key(), null, null);
            assertTrue(answer.code() < 500, answer.text());
            times.add(answer.took());
            Thread.sleep(20);
        }
        return times;
    }

    @Test
    @Tag("B36")
    void theLargestBodiesOfTheIssueEndNothing() throws Exception {
        byte[] wide = HostileBody.wide(15 << 20).bytes();

        Status events = send("POST", "/v1/events", admin.key(), "application/json", wide);
        Status preferences = send("PATCH", "/v1/me/preferences", admin.key(), "application/json", wide);

        assertTrue(Set.of(400, 413).contains(events.code()), events.toString());
        assertTrue(Set.of(400, 413).contains(preferences.code()), preferences.toString());
    }

    private static final List<String> ODD = List.of(
            "%EF%BF%BD",
            "%C2%A0",
            "%E2%80%8B",
            "%00",
            "%0A%0D",
            "%FF%FE",
            "%ED%A0%80",
            "-1",
            "99999999999999999999",
            "0",
            "2147483648",
            "-9223372036854775808",
            "1e999999999",
            "NaN",
            "true",
            "null",
            "%5B1,2%5D",
            "%7B%7D",
            "..",
            "%2e%2e%2f",
            "a%2Fb",
            "%25",
            "%F0%9F%98%80",
            "%CC%81",
            "*",
            "%27%22",
            "%5C",
            "x".repeat(3_000),
            "",
            "00000000-0000-0000-0000-000000000000",
            "2026-01-01T00:00:00Z",
            "%2B999999999-12-31T23:59:59Z",
            "P1D",
            "-999999999-01-01T00:00:00Z",
            "PT9223372036854775807S");

    @Test
    @Tag("B37")
    void randomRequestsAreNeverAFaultOfTheServer() throws Exception {
        var random = new Random(51);
        var faults = new ArrayList<String>();
        for (UriRouteInfo<?, ?> route : routes()) {
            for (int i = 0; i < 3; i++) {
                boolean inPath = i == 0;
                String path = inPath ? oddPath(route, random) : path(route);
                String query = oddQuery(route, random, i);
                String method = route.getHttpMethodName();
                Status answer = send(
                        method,
                        path + query,
                        admin.key(),
                        BODIES.contains(method) ? "application/json" : null,
                        BODIES.contains(method) ? "{}".getBytes(StandardCharsets.UTF_8) : null,
                        "If-Match",
                        pick(random).replaceAll("[^ -~]", "") + "*");
                if (answer.code() >= 500) {
                    faults.add(method + " " + path + query + ": " + answer.text());
                }
            }
        }
        assertEquals("", String.join("\n", faults));
    }

    private static String pick(Random random) {
        return ODD.get(random.nextInt(ODD.size()));
    }

    private static String oddPath(UriRouteInfo<?, ?> route, Random random) {
        return VARIABLE.matcher(route.getUriMatchTemplate().toPathString())
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        match.group(1).startsWith("/") ? "/" + pick(random) : pick(random)));
    }

    private static String oddQuery(UriRouteInfo<?, ?> route, Random random, int i) {
        return Arrays.stream(route.getTargetMethod().getArguments())
                .filter(argument -> argument.getAnnotationMetadata().hasAnnotation(QueryValue.class))
                .map(argument -> argument.getName())
                .filter(name -> !name.equals("wait"))
                .filter(_ -> i < 3 || random.nextInt(3) > 0)
                .map(name -> name + "=" + pick(random))
                .collect(Collectors.joining("&", "?", ""));
    }
}
