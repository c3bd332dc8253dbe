package dev.parley.tools.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.ClosingServer;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call becomes one request to the host of its definition, and the answer a text of limited size. */
class RestKindTest {
    private static final Secrets SECRETS =
            new Secrets(Map.of("KEY", "the-key", "OTHER", "other-key"), List.of("env:KEY", "env:OTHER"));
    private static final ToolsConfig CONFIG = new ToolsConfig(
            null, null, Map.of("env:KEY", Set.of("127.0.0.1"), "env:OTHER", Set.of("api.example.com")), List.of());
    private static final PowerGrants POWERS = Calls.granting(
            Power.privateHost("127.0.0.1"),
            Power.privateHost("friend.example"),
            Power.secret("env:KEY"),
            Power.secret("env:OTHER"));

    private static final UUID ANN = UUID.randomUUID();

    /** Of the host, by name. */
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    private final List<AuditEntry> audit = new ArrayList<>();
    private final People directory = new People();
    private HttpDouble api;
    private Outbound outbound;

    @BeforeEach
    void open() throws IOException {
        api = new HttpDouble();
        outbound = new Outbound(CONFIG, POWERS, SECRETS, _ -> List.of(InetAddress.getLoopbackAddress()));
    }

    @AfterEach
    void close() {
        outbound.close();
        api.close();
    }

    /** Ann and her role in the project. */
    private static final class People implements AccessDirectory {
        private @Nullable ProjectRole role;
        /** Her role after the next catch-up. */
        private @Nullable ProjectRole next;

        @Override
        public Optional<Account> account(UUID host, UUID user) {
            return user.equals(ANN)
                    ? Optional.of(new Account(host, ANN, 1, "ann", false, true, null, null, null))
                    : Optional.empty();
        }

        @Override
        public Optional<AccessKey> key(String prefix) {
            return NOTHING.key(prefix);
        }

        @Override
        public Optional<Project> project(String projectKey) {
            return NOTHING.project(projectKey);
        }

        @Override
        public Optional<Member> member(UUID project, UUID user) {
            return Optional.ofNullable(role)
                    .filter(_ -> user.equals(ANN) && project.equals(DEFAULT_PROJECT.project()))
                    .map(memberRole -> new Member(DEFAULT_HOST, project, user, 1, memberRole, List.of()));
        }

        @Override
        public Optional<Setting> setting(UUID host, String name) {
            return NOTHING.setting(host, name);
        }

        @Override
        public void catchUp() {
            role = next == null ? role : next;
        }
    }

    private Definitions definitions() {
        return new FixedEndpoints(endpoints);
    }

    private record FixedEndpoints(Map<String, Endpoint> endpoints) implements Definitions {
        @Override
        public List<Agent> agents() {
            return List.of();
        }

        @Override
        public List<ToolSpec> tools() {
            return List.of();
        }

        @Override
        public List<PermissionRule> permissions() {
            return List.of();
        }

        @Override
        public Optional<Endpoint> endpoint(String name) {
            return Optional.ofNullable(endpoints.get(name));
        }
    }

    private void crm(String request, List<String> methods, String... roles) {
        String json = request.replace('\'', '"');
        endpoints.put(
                "crm", new Endpoint("crm", api.url() + "/v1", methods, json, List.of(roles), List.of(), List.of()));
    }

    private ToolOutput run(String implementation, String arguments) throws Exception {
        return run(implementation, arguments, Calls.call());
    }

    private ToolOutput run(String implementation, String arguments, ToolCallContext call) throws Exception {
        String resolved = implementation.replace("$API", api.url().toString());
        try (var kind = new RestKind(outbound, new Endpoints((_, _) -> definitions(), directory, audit::add));
                var runner = kind.runner(Calls.json(resolved), Calls.PROJECT)) {
            return runner.run(call, Calls.json(arguments));
        }
    }

    private String failure(String implementation, String arguments) throws Exception {
        return assertInstanceOf(Failed.class, run(implementation, arguments)).why();
    }

    @Test
    @Tag("A19")
    void putsArgumentsIntoPathAndQuery() throws Exception {
        api.answers(HttpDouble.json(200, "{\"name\":\"Zoë\"}"));

        ToolOutput output = run(
                "{'url':'$API/users/{id}?v=2','query':{'q':'text'},'headers':{'X-App':'parley'}}",
                "{'id':7,'text':'a&b','tags':['x','y'],'none':null}");

        assertEquals(new Text("{\"name\":\"Zoë\"}"), output);
        HttpDouble.Seen request = api.seen().getFirst();
        assertEquals("GET /users/7?v=2&q=a%26b&tags=x&tags=y", request.method() + " " + request.path());
        assertEquals("parley", request.header("X-App"));
    }

    @Test
    @Tag("A19")
    void putsArgumentsIntoTheBody() throws Exception {
        api.answers(HttpDouble.json(201, "{}"), HttpDouble.json(200, "{}"));
        ToolCallContext call = Calls.call();

        run("{'url':'$API/users/{id}','method':'post'}", "{'id':7,'name':'Zoë','tags':[1]}", call);
        run("{'url':'$API/x','method':'PUT','body':'form'}", "{'a':'b c','n':[1,2]}", call);

        assertEquals("{\"name\":\"Zoë\",\"tags\":[1]}", api.seen().get(0).body());
        assertEquals(call.callId().toString(), api.seen().get(0).header("Idempotency-Key"));
        assertEquals("a=b%20c&n=1&n=2", api.seen().get(1).body().replace("+", "%20"));
    }

    @Test
    @Tag("A19")
    void sendsSecretsAsConfiguredAndOnlyToAllowedHosts() throws Exception {
        // Given
        api.answers(HttpDouble.json(200, "{}"), HttpDouble.json(200, "{}"), HttpDouble.json(200, "{}"));

        // When
        run("{'url':'$API/','auth':{'type':'bearer','secret':'env:KEY'}}", "{}");
        run("{'url':'$API/','auth':{'type':'header','name':'X-Key','secret':'env:KEY'}}", "{}");
        run("{'url':'$API/','auth':{'type':'basic','user':'me','secret':'env:KEY'}}", "{}");

        // Then
        assertEquals("Bearer the-key", api.seen().get(0).header("Authorization"));
        assertEquals("the-key", api.seen().get(1).header("X-Key"));
        assertEquals(
                "Basic " + Base64.getEncoder().encodeToString("me:the-key".getBytes(StandardCharsets.UTF_8)),
                api.seen().get(2).header("Authorization"));
        assertTrue(failure("{'url':'$API/','auth':{'type':'bearer','secret':'env:OTHER'}}", "{}")
                .contains("is not for 127.0.0.1; the operator allows api.example.com"));
        assertTrue(failure("{'url':'$API/','auth':{'type':'bearer','secret':'env:PATH'}}", "{}")
                .contains("is not granted to this project"));
        assertTrue(failure("{'url':'http://api.example.com/','auth':{'type':'bearer','secret':'env:OTHER'}}", "{}")
                .contains("by https only"));
        assertEquals(3, api.seen().size());
    }

    @ParameterizedTest
    @Tag("A19")
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest/meta-data",
                "http://[::ffff:169.254.169.254]/",
                "http://2852039166/",
                "http://0/",
                "http://localhost/",
                "http://[::1]/",
                "http://10.0.0.1/",
                "http://127.1/",
                "http://rebound.example.com/"
            })
    void rejectsPrivateAddresses(String url) throws Exception {
        assertTrue(failure("{'url':'" + url + "'}", "{}").contains("has private addresses only"));
    }

    @Test
    @Tag("A19")
    void reachesPrivateHostsThatTheOperatorAllows() throws Exception {
        api.answers(HttpDouble.body(200, "text/plain", "hello"));

        assertEquals(
                new Text("hello"),
                run("{'url':'http://friend.example:" + api.url().getPort() + "/'}", "{}"));
    }

    @Test
    void resolvesAHostOnceForTheCheckAndTheConnection() throws Exception {
        var lookups = new AtomicLong();
        Dns changing = _ -> List.of(
                lookups.getAndIncrement() == 0 ? InetAddress.getByName("192.0.2.1") : InetAddress.getLoopbackAddress());
        outbound = new Outbound(CONFIG, POWERS, SECRETS, changing);

        failure("{'url':'http://rebound.example.com:" + api.url().getPort() + "/'}", "{}");

        assertEquals(1, lookups.get());
        assertEquals(List.of(), api.seen());
    }

    @Test
    @Tag("A19")
    void doesNotFollowRedirects() throws Exception {
        api.answers(HttpDouble.body(302, "text/plain", "", "Location", "http://169.254.169.254/"));

        assertEquals(
                "127.0.0.1 answers HTTP 302 (a redirect, which is not followed)", failure("{'url':'$API/'}", "{}"));
    }

    @Test
    void reportsErrorStatusWithTheBeginningOfTheBody() throws Exception {
        api.answers(HttpDouble.json(404, "{\"error\":\"no such user\"}" + " ".repeat(5_000) + "end"));

        String message = failure("{'url':'$API/'}", "{}");

        assertTrue(message.startsWith("127.0.0.1 answers HTTP 404: {\"error\":\"no such user\"}"), message);
        assertTrue(message.length() < 2_200);
    }

    @Test
    void rejectsBinaryAnswers() throws Exception {
        api.answers(HttpDouble.body(200, "image/png", "PNG"), HttpDouble.body(200, "text/plain", "a\0b"));

        assertEquals("the answer is not text but image/png", failure("{'url':'$API/'}", "{}"));
        assertEquals("the answer is not text but text/plain", failure("{'url':'$API/'}", "{}"));
    }

    @Test
    @Tag("A19")
    void readsOnlyTheBeginningOfALongAnswer() throws Exception {
        // Given
        var sent = new AtomicLong();
        var broken = new CountDownLatch(1);
        api.answers(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                for (int i = 0; i < 4_000; i++) {
                    out.write("x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
                    sent.addAndGet(1 << 20);
                }
            } catch (IOException e) {
                broken.countDown();
            }
        });

        // When
        Text text = assertInstanceOf(Text.class, run("{'url':'$API/'}", "{}"));

        // Then
        assertEquals(
                RestKind.MAX_BYTES + "\n[… the rest was not read …]".length(),
                text.text().length());
        broken.await();
        // the client reads on for a tenth of a second to keep the connection, and more data is in flight
        assertTrue(sent.get() < 1L << 29, () -> sent.get() + " bytes were sent");
    }

    @Test
    @Tag("A19")
    void closesAnEndlessAnswerAtTheDeadline() throws Exception {
        var closed = new CountDownLatch(1);
        api.answers(HttpDouble.open(List.of("one"), closed));
        ToolCallContext call = Calls.call(Duration.ofMillis(300));

        var thrown = assertThrows(IOException.class, () -> run("{'url':'$API/'}", "{}", call));

        assertEquals("no answer from 127.0.0.1: InterruptedIOException", thrown.getMessage());
        closed.await();
    }

    @Test
    void cancelledCallClosesItsConnection() throws Exception {
        // Given
        var started = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        api.answers(HttpDouble.stream(stream -> {
            started.countDown();
            stream.untilClosed(closed);
        }));
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> run("{'url':'$API/'}", "{}", Calls.call(cancellation)));
            started.await();

            // When
            cancellation.cancel(Cancellation.Reason.CANCELLED);

            // Then
            assertThrows(Exception.class, running::get);
            closed.await();
        }
    }

    @Test
    void unsentRequestFailsAndABrokenOneIsUnknown() throws Exception {
        int port = api.url().getPort();
        api.answers(exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(1);
        });
        assertThrows(IOException.class, () -> run("{'url':'$API/'}", "{}"));
        api.close();

        assertEquals(
                "no answer from 127.0.0.1: ConnectException",
                failure("{'url':'http://127.0.0.1:" + port + "/'}", "{}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void reachesAServerThatHasClosedTheConnectionOfTheCallBefore(String method) throws Exception {
        try (var server = new ClosingServer("{}")) {
            String implementation = "{'url':'%s/','method':'%s'}".formatted(server.url(), method);
            run(implementation, "{}");
            server.awaitClosed();

            assertEquals(new ToolOutput.Text("{}"), run(implementation, "{}"));
            assertEquals(2, server.requests());
        }
    }

    // ---- below an endpoint of the host

    private static final String GET = "{'endpoint':'crm','path':'/users/{id}?v=2'}";

    @Test
    @Tag("A22")
    void endpointAddsItsUrlHeadersAndSecret() throws Exception {
        crm("{'headers':{'X-App':'parley'},'auth':{'type':'bearer','secret':'env:KEY'}}", List.of("GET"));
        api.answers(HttpDouble.json(200, "{}"), HttpDouble.json(200, "{}"));

        assertEquals(new Text("{}"), run(GET, "{'id':7,'q':'x'}"));
        run("{'endpoint':'crm','path':'/'}", "{}");

        HttpDouble.Seen request = api.seen().getFirst();
        assertEquals("GET /v1/users/7?v=2&q=x", request.method() + " " + request.path());
        assertEquals("parley", request.header("X-App"));
        assertEquals("Bearer the-key", request.header("Authorization"));
        assertEquals("/v1/", api.seen().get(1).path());
        assertEquals(List.of(), audit);
    }

    @Test
    @Tag("A22")
    void deniesCallsWithoutTheEndpointRightAndSendsNoRequest() throws Exception {
        // Given
        crm("{'auth':{'type':'bearer','secret':'env:KEY'}}", List.of("GET"), "owner");
        directory.role = ProjectRole.MEMBER;
        ToolCallContext call = Calls.by(ANN.toString());

        // When
        Failed denied = assertInstanceOf(Failed.class, run(GET, "{'id':7}", call));
        Failed linked = assertInstanceOf(Failed.class, run(GET, "{'id':7}", Calls.by("telegram:17")));
        Failed nobody = assertInstanceOf(Failed.class, run(GET, "{'id':7}", Calls.by(null)));

        // Then
        assertEquals(
                "the person whose turn this is may not use the endpoint 'crm' here; the administrators of the host can"
                        + " allow it",
                denied.why());
        assertEquals(denied, linked);
        assertEquals(denied, nobody);
        assertEquals(List.of(), api.seen());
        AuditEntry entry = audit.getFirst();
        assertEquals(
                "endpoint use crm false",
                "%s %s %s %s".formatted(entry.source(), entry.action(), entry.subject(), entry.success()));
        assertEquals(ANN.toString(), entry.user());
        assertEquals(call.project(), entry.project());
        assertEquals(call.turnId().toString(), entry.correlation());
        assertEquals(3, audit.size());
    }

    @Test
    @Tag("A22")
    void checksRightsAtTheTimeOfTheCall() throws Exception {
        crm("{}", List.of("GET"), "owner");
        api.answers(HttpDouble.json(200, "{}"));
        try (var kind = new RestKind(outbound, new Endpoints((_, _) -> definitions(), directory, audit::add));
                var runner = kind.runner(Calls.json(GET), Calls.PROJECT)) {
            directory.role = ProjectRole.MEMBER;
            directory.next = ProjectRole.OWNER;
            assertEquals(new Text("{}"), runner.run(Calls.by(ANN.toString()), Calls.json("{'id':7}")), "just promoted");

            directory.next = null;
            directory.role = ProjectRole.ADMIN;
            assertInstanceOf(Failed.class, runner.run(Calls.by(ANN.toString()), Calls.json("{'id':7}")));

            endpoints.clear();
            assertEquals(
                    new Failed("the endpoint 'crm' is disabled, or was deleted"),
                    runner.run(Calls.by(ANN.toString()), Calls.json("{'id':7}")));
        }
        assertEquals(1, api.seen().size());
    }

    @Test
    @Tag("A22")
    void rejectsMethodsThatTheEndpointDoesNotAllow() throws Exception {
        crm("{}", List.of("GET", "HEAD"));

        assertEquals(
                "the endpoint 'crm' is not open to DELETE, only to GET, HEAD",
                failure("{'endpoint':'crm','path':'/users/{id}','method':'delete'}", "{'id':7}"));
        assertEquals(List.of(), api.seen());
        assertEquals(1, audit.size());
    }

    @ParameterizedTest
    @Tag("A22")
    @ValueSource(strings = {"..", ".", "../admin", "%2e%2e", "a/../../admin", "a\\\\..\\\\b", ""})
    void rejectsPathArgumentsThatLeaveTheEndpoint(String id) throws Exception {
        crm("{}", List.of("GET"));

        assertTrue(failure(GET, "{'id':'" + id + "'}").contains("cannot be empty, '.' or '..'"));
        assertEquals(List.of(), api.seen());
    }

    @Test
    @Tag("A22")
    void encodesArgumentsThatNameAnotherHost() throws Exception {
        crm("{}", List.of("GET"));
        api.answers(HttpDouble.json(200, "{}"));

        run(GET, "{'id':'@evil.example//x?y#z;..'}");

        assertEquals(
                "/v1/users/%40evil.example%2F%2Fx%3Fy%23z%3B..?v=2",
                api.seen().getFirst().path());
    }

    @Test
    void reportsAnInvalidEndpointDefinition() throws Exception {
        crm("{'auth':{'type':'digest','secret':'env:KEY'}}", List.of("GET"));

        assertEquals(
                "the endpoint 'crm' cannot be used: auth.type must be bearer, header or basic",
                failure(GET, "{'id':7}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                                 | url is missing
        {'url':'http://x.org','method':'TRACE'}                            | method must be GET, HEAD, POST, PUT, PATCH or DELETE
        {'url':'http://x.org','body':'json'}                               | body must be none for the method GET
        {'url':'http://x.org','headers':{'Host':'y'}}                      | headers: 'Host' is not a header that can be set
        {'url':'http://x.org','headers':{'X':'a\\u000ab'}}                 | headers.X is printable ASCII characters in one line
        {'url':'http://x.org','auth':{'type':'bearer','secret':'sk-123'}}  | auth.secret is env:NAME, file:PATH or vault:PATH#FIELD, never the key itself
        {'url':'http://x.org','auth':{'type':'digest','secret':'env:A'}}   | auth.type must be bearer, header or basic
        {'endpoint':'crm'}                                                 | path is missing
        {'endpoint':'crm','path':'/../x'}                                  | path is one such as /users/{id}, below the endpoint: without '%', ';', '.' and '..' in it
        {'endpoint':'crm','path':'/','url':'http://x.org'}                 | url is unknown; valid fields are body, endpoint, method, path, query
        {'endpoint':'crm','path':'/','headers':{'X':'y'}}                  | headers is unknown; valid fields are body, endpoint, method, path, query
        {'url':'http://x.org','timeout':1}                                 | timeout is unknown; valid fields are auth, body, headers, method, query, url
        """)
    void rejectsAnInvalidDefinition(String implementation, String expected) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> run(implementation, "{}"));

        assertEquals(expected, thrown.getMessage());
        assertFalse(String.valueOf(thrown.getMessage()).contains("sk-123"));
    }
}
