package dev.parley.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.PluginJar;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.mcp.McpKind;
import dev.parley.tools.mcp.StubMcpServer;
import dev.parley.tools.plugin.JavaKind;
import dev.parley.tools.plugin.Plugins;
import dev.parley.tools.rest.Endpoints;
import dev.parley.tools.rest.RestKind;
import dev.parley.tools.sandbox.child.WasmBytes;
import dev.parley.tools.script.ScriptKind;
import dev.parley.tools.wasm.WasmKind;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers reach the tools of each kind, and come back from them, with each digit and without an exponent. */
class NumbersTest {
    private static final PowerGrants POWERS =
            Calls.granting(Power.privateHost("127.0.0.1"), Power.of(Kind.PROGRAMS), Power.of(Kind.PLUGIN_TOOLS));
    private static final ArgumentCheck CHECK =
            new ArgumentCheck(new ToolSpec("tool", "Does it", """
                {"type":"object","properties":{"id":{"type":"integer"},"n":{"type":"number"},
                 "list":{"type":"array","items":{"type":"integer"}}}}\
                """, ToolEffect.IDEMPOTENT, Duration.ofSeconds(5)));
    private static final String ECHO = """
        package demo;
        public class Echo implements dev.parley.tools.Tool {
            public dev.parley.domain.definition.ToolSpec spec() {
                return new dev.parley.domain.definition.ToolSpec("demo", "Does it", "{\\"type\\":\\"object\\"}",
                    dev.parley.domain.definition.ToolEffect.IDEMPOTENT, java.time.Duration.ofSeconds(5));
            }
            public dev.parley.tools.ToolOutput run(
                    dev.parley.tools.ToolCallContext call, com.fasterxml.jackson.databind.JsonNode arguments) {
                return dev.parley.tools.ToolOutput.of(arguments.toString());
            }
        }
        """;

    @TempDir
    static Path folder;

    private static Outbound outbound;
    private static HttpDouble api;
    private static StubMcpServer mcp;
    private static RestKind rest;
    private static McpKind mcpKind;
    private static JavaKind java;
    private static ScriptKind javascript;
    private static ScriptKind python;
    private static WasmKind wasm;

    @BeforeAll
    static void open() throws Exception {
        outbound = new Outbound(
                ToolsConfig.NONE,
                POWERS,
                new Secrets(Map.of(), Set.of()),
                _ -> List.of(InetAddress.getLoopbackAddress()));
        api = new HttpDouble();
        mcp = new StubMcpServer();
        rest = new RestKind(
                outbound,
                new Endpoints(
                        (_, _) -> {
                            throw new IllegalStateException("no endpoint is used");
                        },
                        AccessDirectory.NOTHING,
                        _ -> {}));
        mcpKind = new McpKind(outbound, POWERS, null);
        Path jars = Files.createDirectory(folder.resolve("plugins"));
        PluginJar.make(jars.resolve("demo.jar"), Map.of("demo.Echo", ECHO), Tool.class, "demo.Echo");
        java = new JavaKind(Plugins.load(jars), POWERS);
        javascript = ScriptKind.javascript();
        python = ScriptKind.python(Path.of("../python/target/python"));
        wasm = new WasmKind(new BlobStore(folder.resolve("blobs"), BlobStore.MOST));
    }

    @AfterAll
    static void close() {
        List.of(rest, mcpKind, java, javascript, python, wasm).forEach(ToolKind::close);
        outbound.close();
        api.close();
        mcp.close();
    }

    private static String run(ToolKind kind, JsonNode implementation, String arguments) throws Exception {
        try (var runner = kind.runner(implementation, Calls.PROJECT)) {
            ToolOutput output = runner.run(Calls.call(), CHECK.read(arguments));
            return assertInstanceOf(Text.class, output, output.toString()).text();
        }
    }

    private static HttpDouble.Seen request(String implementation, String arguments) throws Exception {
        api.answers(HttpDouble.json(200, "{}"));
        run(rest, Calls.json(implementation.replace("$API", api.url().toString())), arguments);
        return api.seen().getLast();
    }

    /** Numbers as a model writes them, and as each tool gets them. */
    static Map<String, String> numbers() {
        var numbers = new LinkedHashMap<String, String>();
        numbers.put("7", "7");
        numbers.put("10000000.0", "10000000.0");
        numbers.put("0.0005", "0.0005");
        numbers.put("0.0000001", "0.0000001");
        numbers.put("-1.10", "-1.10");
        numbers.put("1e7", "10000000");
        numbers.put("25E-9", "0.000000025");
        numbers.put("123456789012345678.25", "123456789012345678.25");
        numbers.put("1234567890123456789.25", "1234567890123456789.25");
        numbers.put("9007199254740993", "9007199254740993");
        numbers.put("123456789012345678901234567890", "123456789012345678901234567890");
        numbers.put("0.123456789012345678901234567890", "0.123456789012345678901234567890");
        return numbers;
    }

    private static String all(Collection<String> numbers) {
        return "{\"all\":[" + String.join(",", numbers) + "],\"text\":\"a 12345678901234567890 \\\" b\"}";
    }

    @Test
    @Tag("B100")
    void restToolsSendEachDigitInEachPartOfARequest() throws Exception {
        for (var number : numbers().entrySet()) {
            String arguments = "{\"n\":%s}".formatted(number.getKey());
            String expected = number.getValue();

            assertEquals(
                    "/" + expected, request("{'url':'$API/{n}'}", arguments).path());
            assertEquals(
                    "/?n=" + expected, request("{'url':'$API/'}", arguments).path());
            assertEquals(
                    "/?q=" + expected,
                    request("{'url':'$API/','query':{'q':'n'}}", arguments).path());
            assertEquals(
                    "{\"n\":" + expected + "}",
                    request("{'url':'$API/','method':'POST'}", arguments).body());
            assertEquals(
                    "n=" + expected,
                    request("{'url':'$API/','method':'POST','body':'form'}", arguments)
                            .body());
        }
        String nested =
                request("{'url':'$API/'}", "{\"rest\":{\"deep\":[0.0000001]}}").path();
        assertEquals("/?rest={\"deep\":[0.0000001]}", URLDecoder.decode(nested, StandardCharsets.UTF_8));
    }

    @Test
    @Tag("B100")
    void mcpToolsAreSentEachDigitAndReturnIt() throws Exception {
        String structured = all(numbers().values());
        mcp.answer =
                call -> call.json(("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"structuredContent\":"
                                + all(numbers().keySet()) + "}}")
                        .formatted(call.message().get("id")));

        String result = run(
                mcpKind,
                Calls.json("{'server':{'url':'" + mcp.url() + "'},'tool':'search'}"),
                all(numbers().keySet()));

        String sent = mcp.bodies().stream()
                .filter(body -> body.contains("tools/call"))
                .toList()
                .getLast();
        assertTrue(sent.contains("\"arguments\":" + structured), sent);
        assertEquals(structured, result);
    }

    @Test
    @Tag("B100")
    void toolsInProcessesOfTheirOwnAndInPluginsGetEachDigit() throws Exception {
        String arguments = all(numbers().keySet());
        String exact = all(numbers().values());

        assertEquals(exact, run(java, Calls.json("class", "demo.Echo"), arguments));
        String module = WasmBytes.base64(WasmBytes.module(WasmBytes.ECHO));
        assertEquals(exact, run(wasm, Calls.json("module", module), arguments));
    }

    @Test
    @Tag("B100")
    void scriptsReturnEachDigitThatTheyGot() throws Exception {
        for (ScriptKind script : List.of(javascript, python)) {
            String result = run(
                    script, Calls.json("script", "return args"), all(numbers().keySet()));

            var expected = Calls.json(all(numbers().values()));
            var returned = Calls.json(result);
            for (int i = 0; i < numbers().size(); i++) {
                BigDecimal number = expected.get("all").get(i).decimalValue();
                assertEquals(0, number.compareTo(returned.get("all").get(i).decimalValue()), script.name() + result);
            }
            assertEquals(expected.get("text"), returned.get("text"));
        }
    }

    @Test
    @Tag("B100")
    void scriptsHaveTheDigitsThatTheirOwnNumbersLose() throws Exception {
        String number = "123456789012345678.25";
        String arguments = "{\"n\":" + number + "}";

        assertEquals(
                "{\"text\":\"" + number + "\",\"twice\":true,\"inner\":\"" + number + "\"}",
                run(
                        javascript,
                        Calls.json(
                                "script",
                                "return {text: `${args.n}`, twice: args.n * 2 === " + number
                                        + " * 2, inner: String(args.n)}"),
                        arguments));
        assertEquals(number, run(javascript, Calls.json("script", "return JSON.stringify(args.n)"), arguments));
        assertEquals(
                "{\"text\":\"" + number + "\",\"twice\":true}",
                run(
                        python,
                        Calls.json(
                                "script",
                                "return {'text': str(args['n']), 'twice': args['n'] * 2 == " + number + " * 2}"),
                        arguments));
    }

    @ParameterizedTest
    @CsvSource({
        "7.0, 7",
        "2512292042121000001.0, 2512292042121000001",
        "1e3, 1000",
        "12, 12",
        "123456789012345678901234567890.00, 123456789012345678901234567890"
    })
    @Tag("B101")
    void integersHaveNoFraction(String written, String expected) throws Exception {
        String arguments = "{\"id\":%s,\"list\":[%1$s]}".formatted(written);

        assertEquals(
                "/items/" + expected + "?list=" + expected,
                request("{'url':'$API/items/{id}'}", arguments).path());
        assertEquals(
                "{\"id\":%s,\"list\":[%1$s]}".formatted(expected),
                request("{'url':'$API/','method':'POST'}", arguments).body());
    }
}
