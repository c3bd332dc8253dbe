package dev.parley.tools.mcp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Listing and calling a server's tools; servers that are down, crash or answer wrongly cause errors only. */
class McpKindTest {
    private static final PowerGrants POWERS = Calls.granting(Power.privateHost("127.0.0.1"), Power.of(Kind.PROGRAMS));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private StubMcpServer server;
    private Outbound outbound;
    private McpKind kind;
    /** A call of one host, whose connection is kept open. */
    private final ToolCallContext call = Calls.call();

    @BeforeEach
    void open() throws IOException {
        server = new StubMcpServer();
        outbound = new Outbound(ToolsConfig.NONE, POWERS, new Secrets(Map.of(), Set.of()));
        kind = new McpKind(outbound, POWERS, meters);
    }

    @AfterEach
    void close() {
        kind.close();
        outbound.close();
        server.close();
    }

    private ToolOutput run(String tool) throws Exception {
        return run("{'url':'" + server.url() + "'}", tool, call);
    }

    private ToolOutput run(String tool, Cancellation cancellation) throws Exception {
        return run("{'url':'" + server.url() + "'}", tool, Calls.call(cancellation));
    }

    private ToolOutput run(String serverDefinition, String tool, ToolCallContext call) throws Exception {
        var runner =
                kind.runner(Calls.json("{'server':" + serverDefinition + ",'tool':'" + tool + "'}"), Calls.PROJECT);
        return runner.run(call, Calls.json("{'q':'x','n':1}"));
    }

    private String failure(String tool) throws Exception {
        return assertInstanceOf(Failed.class, run(tool)).why();
    }

    @Test
    @Tag("A18")
    void listsAndCallsTools() throws Exception {
        // Given
        server.tools = List.of("search", "fetch");

        // When
        List<McpKind.Listed> listed = kind.tools(
                call.host(),
                call.project(),
                Calls.json("{'server':{'url':'" + server.url() + "'}}"),
                Deadline.in(Duration.ofSeconds(30)));
        ToolOutput searched = run("search");
        run("fetch");

        // Then
        assertEquals(
                List.of("search", "fetch"),
                listed.stream().map(McpKind.Listed::name).toList());
        assertEquals(new McpKind.Listed("search", "Does it", Calls.json("{'type':'object'}")), listed.getFirst());
        assertEquals(new Text("found"), searched);
        var params = server.seen("tools/call").getFirst().get("params");
        assertEquals(Calls.json("{'q':'x','n':1}"), params.get("arguments"));
        assertTrue(params.get("_meta").hasNonNull("dev.parley/callId"));
        assertEquals(1, server.seen("initialize").size());
        assertEquals(1, server.seen("tools/list").size());
    }

    @Test
    @Tag("A18")
    void refreshesToolsOnAChangeNotification() throws Exception {
        assertEquals("127.0.0.1 has no tool 'fetch'", failure("fetch"));
        server.heard.await();

        server.changeTools(List.of("fetch"));

        await().until(() -> run("fetch").equals(new Text("found")));
        assertEquals("127.0.0.1 has no tool 'search'", failure("search"));
    }

    @Test
    void reportsAToolErrorAsAFailure() throws Exception {
        server.answer = request -> request.result("{'content':[{'type':'text','text':'no such page'}],'isError':true}");
        assertEquals("no such page", failure("search"));

        server.answer = request -> request.error("n is too small");
        assertEquals("127.0.0.1 refuses: n is too small", failure("search"));
    }

    @Test
    void returnsImagesAsFiles() throws Exception {
        server.answer = request -> request.result("{'content':[{'type':'text','text':'a cat'},"
                + "{'type':'image','mimeType':'image/png','data':'AQID'}]}");

        var files = assertInstanceOf(ToolOutput.Files.class, run("search"));

        assertEquals("a cat", files.text());
        assertEquals("image-1.png", files.files().getFirst().name());
        assertArrayEquals(new byte[] {1, 2, 3}, files.files().getFirst().bytes());
    }

    @Test
    void reinitializesARestartedServer() throws Exception {
        run("search");
        server.restart();

        assertEquals(new Text("found"), run("search"));
        assertEquals(2, server.seen("initialize").size());
    }

    @Test
    @Tag("A18")
    void backsOffFromAServerThatIsDown() throws Exception {
        server.close();

        for (int i = 0; i < 3; i++) {
            assertEquals(
                    "127.0.0.1 failed to initialise: no answer from 127.0.0.1: ConnectException", failure("search"));
        }
        assertTrue(failure("search").contains("is not called for some seconds"));
        assertEquals(1, meters.get("parley.mcp.connections").gauge().value());
        assertEquals(1, meters.get("parley.mcp.servers.backed.off").gauge().value());
    }

    enum InvalidAnswer {
        GARBAGE(request -> request.json("{\"id\": 1, no json"), "the server sent an invalid message"),
        WRONG_ID(
                request -> request.json("{\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{}}"),
                "the server's answer has no result"),
        WRONG_RESULT(request -> request.result("{'content':7}"), "127.0.0.1 breaks the protocol"),
        HUGE(
                request -> request.json("{\"jsonrpc\":\"2.0\",\"x\":\"" + "x".repeat(McpTransport.MAX_BYTES) + "\"}"),
                "the answer is longer than 8 MiB"),
        HTML(
                request -> StubMcpServer.send(request.exchange(), 200, "text/html", "<p>"),
                "127.0.0.1 answers with 'text/html'"),
        DEAD(request -> request.exchange().sendResponseHeaders(200, 100), "no answer from 127.0.0.1: IOException"),
        BROKEN(
                request -> StubMcpServer.send(request.exchange(), 500, "text/plain", "oops"),
                "127.0.0.1 answers HTTP 500");

        private final StubMcpServer.Answer answer;
        private final String message;

        InvalidAnswer(StubMcpServer.Answer answer, String message) {
            this.answer = answer;
            this.message = message;
        }
    }

    @ParameterizedTest
    @EnumSource(InvalidAnswer.class)
    void reportsAnInvalidAnswerAsAnError(InvalidAnswer invalid) throws Exception {
        StubMcpServer.Answer honest = server.answer;
        server.answer = invalid.answer;

        var thrown = assertThrows(IOException.class, () -> run("search"));

        assertTrue(String.valueOf(thrown.getMessage()).contains(invalid.message), thrown.getMessage());
        server.answer = honest;
        assertEquals(new Text("found"), run("search"));
    }

    @Test
    void closesAnEndlessStreamAtTheDeadline() throws Exception {
        // Given
        var closed = new CountDownLatch(1);
        server.answer = request -> {
            request.exchange().getResponseHeaders().set("Content-Type", "text/event-stream");
            request.exchange().sendResponseHeaders(200, 0);
            try {
                while (true) {
                    request.exchange()
                            .getResponseBody()
                            .write("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n".getBytes(StandardCharsets.UTF_8));
                    request.exchange().getResponseBody().flush();
                    Thread.sleep(2); // the pace of an endless stream
                }
            } catch (IOException | InterruptedException e) {
                closed.countDown();
            }
        };

        // When
        var thrown = assertThrows(
                IOException.class, () -> run("search", new Cancellation(Deadline.in(Duration.ofMillis(1_500)))));

        // Then
        assertEquals("127.0.0.1 does not answer in time", thrown.getMessage());
        closed.await();
        await().until(() -> server.seen("notifications/cancelled").size() == 1);
    }

    @Test
    void rejectsRequestsOfTheServer() throws Exception {
        // Given
        server.answer = request -> StubMcpServer.send(
                request.exchange(),
                200,
                "text/event-stream",
                "data: {\"jsonrpc\":\"2.0\",\"id\":\"theirs\",\"method\":\"roots/list\"}\n\n".repeat(1_000)
                        + "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n"
                                .formatted(request.message().get("id")));

        // Then
        assertEquals(new Text(""), run("search"));

        await().until(() -> !server.refusals().isEmpty());
        assertTrue(server.refusals().getFirst().get("error").hasNonNull("code"));
    }

    @Test
    void cancelledCallNotifiesTheServer() throws Exception {
        // Given
        var called = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        server.answer = request -> {
            called.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        var cancellation = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = threads.submit(() -> run("search", cancellation));
            called.await();

            // When
            cancellation.cancel(Cancellation.Reason.CANCELLED);

            // Then
            assertThrows(Exception.class, running::get);
            await().until(() -> server.seen("notifications/cancelled").size() == 1);
        } finally {
            end.countDown();
        }
    }

    @Test
    void rejectsPrivateAddresses() throws Exception {
        ToolOutput output = run("{'url':'http://169.254.169.254/mcp'}", "search", call);

        assertTrue(assertInstanceOf(Failed.class, output).why().contains("has private addresses only"));
    }

    private static final String PROGRAM = """
        while read -r line; do
          id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
          case "$line" in
            *'"initialize"'*) r='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
            *'"tools/list"'*) r='{"tools":[{"name":"env","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}' ;;
            *'"die"'*) exit 1 ;;
            *'"tools/call"'*) r='{"content":[{"type":"text","text":"'"$MINE $HOME"'"}]}' ;;
            *) continue ;;
          esac
          printf '{"jsonrpc":"2.0","id":"%s","result":%s}\\n' "$id" "$r"
        done
        """;

    @Test
    @Tag("A18")
    void runsALocalProgramAsAServer() throws Exception {
        var server = Calls.json("{'command':'sh','env':{'MINE':'mine'}}");
        ((ObjectNode) server).putArray("args").add("-c").add(PROGRAM);
        var env = kind.runner(((ObjectNode) Calls.json("{'tool':'env'}")).set("server", server), Calls.PROJECT);
        var die = kind.runner(((ObjectNode) Calls.json("{'tool':'die'}")).set("server", server), Calls.PROJECT);

        assertEquals(new Text("mine "), env.run(call, Calls.json("{}")));
        assertThrows(IOException.class, () -> die.run(call, Calls.json("{}")));
        assertEquals(new Text("mine "), env.run(call, Calls.json("{}")));
    }

    @Test
    void doesNotWaitForAProgramThatExits() throws Exception {
        for (String program : List.of("{'command':'false'}", "{'command':'/no/such/program'}")) {
            Instant start = Instant.now();

            assertInstanceOf(Failed.class, run(program, "x", call));

            assertTrue(Duration.between(start, Instant.now()).toSeconds() < 10);
        }
    }

    @Test
    void resultSaysWhyAProgramCannotBeStarted() throws Exception {
        var failed = assertInstanceOf(Failed.class, run("{'command':'/no/such/program'}", "x", call));

        assertEquals(
                "/no/such/program failed to initialise: /no/such/program cannot be started: No such file or directory",
                failed.why());
    }

    @Test
    @Tag("A18")
    void rejectsLocalProgramsUnlessAllowed() {
        try (var none = new Outbound(ToolsConfig.NONE, PowerGrants.NONE, new Secrets(Map.of(), Set.of()));
                var strict = new McpKind(none, PowerGrants.NONE, null)) {
            var thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> strict.runner(Calls.json("{'server':{'command':'sh'},'tool':'x'}")));
            assertTrue(String.valueOf(thrown.getMessage()).contains("tools.stdio is not granted"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'tool':'x'}                                             | server is missing
        {'server':{'url':'http://x.org'}}                        | tool is missing
        {'server':{},'tool':'x'}                                 | server must have either a url or a command
        {'server':{'url':'x'},'tool':'x'}                        | server.url is a URL such as https://api.example.com/v1, without user, password and fragment
        {'server':{'command':'sh','args':'x'},'tool':'x'}        | server.args is a list of texts
        """)
    void rejectsAnInvalidDefinition(String implementation, String expected) {
        var thrown = assertThrows(
                IllegalArgumentException.class, () -> kind.runner(Calls.json(implementation), Calls.PROJECT));

        assertEquals(expected, thrown.getMessage());
    }
}
