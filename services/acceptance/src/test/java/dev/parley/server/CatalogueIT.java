package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools and skills that are defined at run time, in a complete server process. */
class CatalogueIT {
    private static final String TOOLS = "/v1/projects/default/tools";
    private static final String SKILLS = "/v1/projects/default/skills";
    /** The module of docs/tools/wasm.md: its result is its arguments. */
    private static final String MODULE = "0061736d01000000010c0260017f017f60027f7f017e0303020001050301000107180306"
            + "6d656d6f7279020005616c6c6f6300000372756e00010a14020500418008" + "0b0c002000ad4220862001ad840b";

    private static final String AGENTS = "/v1/projects/default/agents";
    private static final String SCREEN =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    private static final String CHECKS = "[{\"id\":\"s1\",\"code\":\"c\",\"message\":\"Is it you?\"}]";

    @TempDir
    static Path folder;

    private static final LinkedBlockingQueue<String> REQUESTS = new LinkedBlockingQueue<>();
    private static HttpDouble models;
    private static LocalServer weather;
    private static Servers servers;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        REQUESTS.clear(); // of an earlier run of this class in the same process
        models = new HttpDouble();
        weather = LocalServer.serial()
                .handle("/", CatalogueIT::tell)
                .handle("/mcp", CatalogueIT::speak)
                .handle("/screen", CatalogueIT::look);
        Files.writeString(folder.resolve("parley.yml"), """
            providers:
              openai: { baseUrl: "%s", apiKey: "file:%s" }
            tools:
              allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }]
              plugins: %s
            permissions:
              - { tool: "*", action: allow }
            """.formatted(
                        models.url(), Files.writeString(folder.resolve("key"), "sk-x"), folder.resolve("plugins")));
        plugIn();
        servers = new Servers(folder);
        var environment = servers.environment("one", 2);
        environment.put("PARLEY_PYTHON", "../python/target/python");
        instance = Instances.start(environment);
        api = Api.of(instance);
        api.signUp("boss"); // the first one is administrator
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
        weather.close();
        models.close();
    }

    /** A server of the Model Context Protocol with one tool. */
    private static void speak(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode message = new ObjectMapper().readTree(exchange.getRequestBody());
            String result =
                    switch (message == null ? "" : message.path("method").asText()) {
                        case "initialize" -> """
                            {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}\
                            """;
                        case "tools/list" -> """
                            {"tools":[{"name":"capital.of","description":"Knows capitals","inputSchema":{"type":"object","properties":{"land":{"type":"string"}}}}]}\
                            """;
                        case "tools/call" ->
                            """
                            {"content":[{"type":"text","text":"The capital of %s is known"}]}\
                            """.formatted(message.at("/params/arguments/land").asText());
                        default -> null;
                    };
            if (result == null) {
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? 202 : 405, -1);
                return;
            }
            LocalServer.respond(
                    exchange,
                    "application/json",
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(message.get("id"), result));
        }
    }

    /** Returns the weather, with the path of the request. */
    private static void tell(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            REQUESTS.add(URLDecoder.decode(uri.getPath() + "?" + uri.getRawQuery(), StandardCharsets.UTF_8));
            LocalServer.respond(
                    exchange, "application/json", "{\"degrees\":21,\"path\":\"%s\"}".formatted(uri.getPath()));
        }
    }

    /** A fake computer that records its actions and returns a screenshot. */
    private static void look(HttpExchange exchange) throws IOException {
        try (exchange) {
            REQUESTS.add("/screen " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            LocalServer.respond(exchange, "application/json", "{\"image_url\":\"" + SCREEN + "\"}");
        }
    }

    private static String url(String path) {
        return weather.url() + path;
    }

    private static Map<String, Object> weather(String name, String version) {
        var tool = new HashMap<String, Object>();
        tool.put("name", name);
        tool.put("version", version);
        tool.put("description", "Says what the weather is like");
        tool.put("type", "http");
        tool.put("access", "read");
        tool.put("effect", "idempotent");
        tool.put(
                "parameters",
                List.of(
                        Map.of(
                                "name",
                                "town",
                                "type",
                                "string",
                                "required",
                                true,
                                "validation",
                                Map.of("pattern", "^[A-Z]")),
                        Map.of("name", "days", "type", "integer", "defaultValue", 1)));
        tool.put("implementation", Map.of("url", url("/" + version + "/{town}"), "method", "GET"));
        return tool;
    }

    private static String reply(String session, String text) {
        return api.say(session, text).get("reply").asText();
    }

    @Test
    @Tag("I88")
    @Tag("A19")
    void definedToolIsCallableInTheNextTurn() {
        // Given
        api.create(TOOLS, weather("weather", "1.0.0"));

        // When
        String reply = reply("web:weather", "!call weather {\"town\":\"Wien/1\"}");

        // Then
        assertTrue(reply.contains("\"degrees\":21"), reply);
        assertTrue(REQUESTS.contains("/1.0.0/Wien/1?days=1"), REQUESTS.toString());
        JsonNode stored = api.get(TOOLS + "/weather").json();
        assertEquals("rest", stored.get("type").asText());
        assertEquals("project", stored.get("source").asText());
        assertEquals(
                "{\"type\":\"object\",\"properties\":{\"town\":{\"type\":\"string\",\"pattern\":\"^[A-Z]\"},"
                        + "\"days\":{\"type\":\"integer\",\"default\":1}},\"required\":[\"town\"],\"additionalProperties\":false}",
                stored.get("schema").toString());
    }

    @Test
    @Tag("A24")
    void invalidArgumentsAreNotSentToTheTool() {
        api.create(TOOLS, weather("strict", "1.0.0"));
        String reply = reply("web:strict", "!call strict {\"town\":\"wien\",\"days\":\"two\"}");
        assertTrue(reply.contains("/town: ") && reply.contains("/days: "), reply);
        assertFalse(REQUESTS.stream().anyMatch(request -> request.contains("wien")));
    }

    @Test
    void projectsUseHostToolsButOnlyAdministratorsChangeThem() {
        // Given
        api.create("/v1/tools", weather("hosts", "1.0.0"));

        // When
        Answer inherited = api.get(TOOLS + "/hosts");

        // Then
        assertEquals("host", inherited.json().get("source").asText());
        assertFalse(inherited.json().has("implementation"));
        assertTrue(api.get("/v1/tools/hosts").json().has("implementation"));
        assertTrue(reply("web:hosts", "!call hosts {\"town\":\"Ulm\"}").contains("/1.0.0/Ulm"));
        Answer changed =
                api.send("PUT", TOOLS + "/hosts", weather("hosts", "1.0.0"), Map.of("If-Match", inherited.etag()));
        assertEquals(403, changed.status(), changed.text());
        assertEquals("inherited_tool", changed.code());
        assertEquals(403, api.delete(TOOLS + "/hosts?version=1.0.0").status());
        assertEquals(404, api.delete(TOOLS + "/nobodys?version=1.0.0").status());
    }

    @Test
    @Tag("I87")
    void disabledToolIsUnknownToAgents() {
        // Given
        api.create(TOOLS, weather("switched", "1.0.0"));
        Answer current = api.get(TOOLS + "/switched");

        // When
        var disabled = weather("switched", "1.0.0");
        disabled.put("enabled", false);
        Answer changed = api.send("PUT", TOOLS + "/switched", disabled, Map.of("If-Match", current.etag()));

        // Then
        assertEquals(200, changed.status(), changed.text());
        String reply = reply("web:switched", "!call switched {\"town\":\"Wien\"}");
        assertTrue(reply.contains("there is no tool 'switched'"), reply);
    }

    @Test
    @Tag("A23")
    void rejectsAResultThatViolatesTheResponseSchema() {
        var tool = weather("typed", "1.0.0");
        tool.put("responseSchema", Map.of("type", "object", "properties", Map.of("degrees", Map.of("type", "string"))));
        String project = project("Typed");
        api.create(project + "/tools", tool);
        String reply = turn(project, "default", "!call typed {\"town\":\"Wien\"}")
                .path("reply")
                .asText();
        assertTrue(reply.contains("violates its response schema: /degrees: "), reply);
    }

    @Test
    @Tag("I88")
    void rejectsInvalidToolDefinitions() {
        for (String type : List.of("rest", "mcp_server", "javascript", "python", "wasm")) {
            Answer refused = api.post(
                    TOOLS, Map.of("name", "x", "description", "x", "type", type, "implementation", Map.of("x", 1)));
            assertEquals(400, refused.status(), refused.text());
            assertTrue(refused.text().contains("implementation."), refused.text());
        }
        Answer several = api.post(
                TOOLS,
                Map.of("name", "load_skill", "description", "x", "type", "rest", "implementation", Map.of("x", 1)));
        assertEquals(
                List.of(
                        "name is reserved by Parley",
                        "implementation.url is missing; a tool of type rest needs url or endpoint"),
                several.json()
                        .path("errors")
                        .valueStream()
                        .map(error -> error.path("field").asText() + " "
                                + error.path("problem").asText())
                        .toList());
        Answer builtin = api.post(TOOLS, weather("echo", "1.0.0"));
        assertEquals("builtin_tool", builtin.code());
        assertEquals(400, api.post(TOOLS, weather("load_skill", "1.0.0")).status());
        assertEquals(400, api.post(TOOLS, weather("bad", "one")).status());
        var secret = weather("secret", "1.0.0");
        secret.put("implementation", Map.of("url", url("/"), "auth", Map.of("type", "bearer", "secret", "env:KEY")));
        assertEquals(400, api.post(TOOLS, secret).status());
        secret.put(
                "implementation", Map.of("url", url("/"), "auth", Map.of("type", "bearer", "secret", "file:/run/key")));
        assertEquals(400, api.post(TOOLS, secret).status());
        secret.put("implementation", Map.of("url", url("/"), "headers", Map.of("x", "y".repeat(300_000))));
        assertEquals(400, api.post(TOOLS, secret).status());
        var array = weather("array", "1.0.0");
        array.remove("parameters");
        array.put("parametersSchema", Map.of("type", "array"));
        assertEquals(400, api.post(TOOLS, array).status());
        var numbers = weather("numbers", "1.0.0");
        var parameters = new HashMap<String, Object>();
        for (int i = 0; i < 3_000; i++) {
            parameters.put("n" + i, 1e308);
        }
        numbers.put("implementation", Map.of("url", url("/"), "query", parameters));
        assertEquals(413, api.post(TOOLS, numbers).status(), "the database writes them out");
        assertEquals(
                400,
                api.post(
                                SKILLS,
                                Map.of(
                                        "name",
                                        "long",
                                        "description",
                                        "x",
                                        "tools",
                                        List.of(Map.of("tool", "x", "arguments", Map.of("a", "b".repeat(5_000))))))
                        .status());
    }

    @Test
    @Tag("A16")
    @Tag("A5")
    @Tag("A14")
    void loadedSkillFixesTheVersionAndArgumentsOfItsTool() {
        // Given
        api.create(TOOLS, weather("forecast", "1.0.0"));
        api.create(TOOLS, weather("forecast", "2.0.0"));
        Answer duplicate = api.post(TOOLS, weather("forecast", "2.0.0"));
        assertEquals("tool_exists", duplicate.code());
        api.create(
                SKILLS,
                Map.of(
                        "name", "plan-trips",
                        "description", "How to plan a trip",
                        "text", "# Trips\nLook at the weather first.",
                        "tags", List.of("travel"),
                        "category", "office/travel",
                        "tools",
                                List.of(Map.of(
                                        "tool",
                                        "forecast",
                                        "version",
                                        "1.0.0",
                                        "arguments",
                                        Map.of("days", 3),
                                        "locked",
                                        true))));
        api.create(
                AGENTS,
                Map.of("name", "guide", "model", "scripted/any", "skills", List.of(Map.of("name", "plan-trips"))));

        // When
        JsonNode turn =
                api.turn("web:guide", Map.of("agent", "guide", "text", """
                    !call forecast {"town":"Steyr"}
                    !then
                    !call load_skill {"name":"plan-trips"}
                    !then
                    !call forecast {"town":"Linz","days":50}\
                    """)).json();

        // Then
        String reply = turn.get("reply").asText();
        assertTrue(reply.contains("/1.0.0/Linz"), turn.toString());
        assertTrue(REQUESTS.contains("/1.0.0/Linz?days=3"), REQUESTS.toString());
        assertFalse(REQUESTS.stream().anyMatch(request -> request.contains("Steyr")), "it was not loaded then");

        // When
        String without = reply("web:without", "!call forecast {\"town\":\"Graz\"}");
        api.create(AGENTS, Map.of("name", "forecaster", "model", "scripted/any", "tools", List.of("forecast")));
        String newest = forecast("Bern");

        // Then
        assertTrue(without.contains("belongs to the skill 'plan-trips'"), without);
        assertTrue(newest.contains("/2.0.0/Bern"), newest);
        assertEquals(
                "plan-trips",
                api.list(SKILLS + "?q=organise%20a%20journey")
                        .getFirst()
                        .get("name")
                        .asText());
        assertEquals(1, api.list(SKILLS + "?tag=travel").size());
        assertEquals(1, api.list(SKILLS + "?category=office").size());
        assertEquals(0, api.list(SKILLS + "?category=off").size());
        assertEquals(0, api.list(SKILLS + "?category=office&tag=work").size());
        assertEquals(2, api.get(TOOLS + "/forecast/versions").json().size());

        // When
        assertEquals(204, api.delete(TOOLS + "/forecast?version=2.0.0").status());

        // Then
        assertTrue(forecast("Basel").contains("/1.0.0/Basel"));
    }

    /** What an agent replies that lists the tool by name. */
    private static String forecast(String town) {
        return api.turn(
                        "web:newest",
                        Map.of("agent", "forecaster", "text", "!call forecast {\"town\":\"" + town + "\"}"))
                .json()
                .get("reply")
                .asText();
    }

    private static String say(Api caller, String project, String text) {
        String session = Integer.toHexString(caller.key().hashCode());
        Answer response = caller.turn(project + "/sessions/web:" + session, Map.of("text", text));
        assertEquals(200, response.status(), response.text());
        return response.json().get("reply").asText();
    }

    private static long requestCount(String path) {
        return REQUESTS.stream().filter(request -> request.startsWith(path)).count();
    }

    @Test
    @Tag("A22")
    void endpointRightIsCheckedAtEachCallAndToolsNeedTheirEndpoint() {
        // Given
        Api owner = api.signUp("olivia");
        Api member = api.signUp("max");
        Api namedUser = api.signUp("nina");
        String key = owner.project("Sales");
        String project = "/v1/projects/" + key;
        for (String name : List.of("max", "nina")) {
            owner.create(project + "/members", Map.of("username", name, "role", "member"));
        }
        var endpoint = new HashMap<String, Object>(Map.of(
                "name", "crm",
                "url", url("/crm/v1/"),
                "methods", List.of("get"),
                "allow", Map.of("roles", List.of("owner"), "users", List.of("nina"), "projects", List.of(key))));
        var tool = new HashMap<String, Object>(Map.of(
                "name", "customer",
                "description", "Shows a customer",
                "type", "rest",
                "effect", "idempotent",
                "parameters", List.of(Map.of("name", "id", "type", "string", "required", true)),
                "implementation", Map.of("endpoint", "crm", "path", "/customers/{id}")));
        Answer withoutEndpoint = owner.post(project + "/tools", tool);
        assertEquals(400, withoutEndpoint.status(), withoutEndpoint.text());
        assertTrue(withoutEndpoint.text().contains("names no endpoint of the host"), withoutEndpoint.text());
        owner.create(project + "/agents", Map.of("name", "helper", "model", "scripted/any", "mode", "subagent"));
        api.create("/v1/endpoints", endpoint);
        owner.create(project + "/tools", tool);

        // When
        String denied = say(member, project, "!call customer {\"id\":\"max\"}");
        String ownerReply = say(owner, project, "!call customer {\"id\":\"olivia\"}");
        String namedReply = say(namedUser, project, "!call customer {\"id\":\"nina\"}");

        // Then
        assertTrue(denied.contains("may not use the endpoint 'crm' here"), denied);
        assertTrue(ownerReply.contains("/crm/v1/customers/olivia"), ownerReply);
        assertTrue(namedReply.contains("/crm/v1/customers/nina"), namedReply);
        assertEquals(0, requestCount("/crm/v1/customers/max"), "nothing was sent");
        String max = member.get("/v1/me").json().get("id").asText();
        Awaitility.await().untilAsserted(() -> {
            List<JsonNode> entries = api.list("/v1/audit?source=endpoint&user=" + max);
            assertEquals(1, entries.size(), entries.toString());
            assertEquals("use", entries.getFirst().get("action").asText());
            assertEquals("crm", entries.getFirst().get("subject").asText());
            assertFalse(entries.getFirst().get("success").asBoolean());
        });

        // When their rights change
        String members = project + "/members/" + max;
        assertEquals(
                200,
                api.send("PUT", members, Map.of("role", "admin"), Map.of("If-Match", "*"))
                        .status());
        Answer current = api.get("/v1/endpoints/crm");
        endpoint.put("allow", Map.of("roles", List.of("admin", "owner")));
        Answer changed = api.send("PUT", "/v1/endpoints/crm", endpoint, Map.of("If-Match", current.etag()));

        // Then they apply to the next call
        assertEquals(200, changed.status(), changed.text());
        String now = say(member, project, "!call customer {\"id\":\"max\"}");
        assertTrue(now.contains("/crm/v1/customers/max"), now);
        String nina = say(namedUser, project, "!call customer {\"id\":\"nina\"}");
        assertTrue(nina.contains("may not use the endpoint 'crm' here"), nina);
        String delegated = say(owner, project, "!delegate helper !call customer {\"id\":\"delegate\"}");
        assertEquals(
                1,
                requestCount("/crm/v1/customers/delegate"),
                "a delegate acts for the person at the top: " + delegated);

        // When
        assertEquals(204, api.delete("/v1/endpoints/crm").status());

        // Then
        String afterDeletion = say(owner, project, "!call customer {\"id\":\"late\"}");
        assertTrue(afterDeletion.contains("there is no tool 'customer'"), afterDeletion);
        assertEquals(0, requestCount("/crm/v1/customers/late"));

        // When it is created again
        api.create("/v1/endpoints", endpoint);

        // Then
        assertTrue(say(owner, project, "!call customer {\"id\":\"back\"}").contains("/crm/v1/customers/back"));
    }

    @Test
    @Tag("A22")
    void checksEndpointPermissionAgainAfterAnApproval() {
        // Given
        Api owner = api.signUp("oscar");
        String project = "/v1/projects/" + owner.project("Desk");
        String session = project + "/sessions/web:wait";
        var endpoint = new HashMap<String, Object>(
                Map.of("name", "desk", "url", url("/desk"), "allow", Map.of("roles", List.of("owner"))));
        api.create("/v1/endpoints", endpoint);
        owner.create(
                project + "/tools",
                Map.of(
                        "name", "ticket",
                        "description", "Shows a ticket",
                        "type", "rest",
                        "implementation", Map.of("endpoint", "desk", "path", "/tickets")));
        owner.turn(session, Map.of("text", "hello"));
        var rules = Map.of("rules", List.of(Map.of("tool", "ticket", "action", "ask")));
        assertEquals(
                202,
                owner.send("PUT", session + "/permissions", rules, Map.of()).status());

        // When the permission is withdrawn while the call waits
        owner.post(session + "/turns", Map.of("text", "!call ticket {}"));
        String first = question(owner, project);
        endpoint.put("allow", Map.of("roles", List.of("admin")));
        assertEquals(
                200,
                api.send("PUT", "/v1/endpoints/desk", endpoint, Map.of("If-Match", "*"))
                        .status());
        owner.post(session + "/approvals/" + first, Map.of("answer", "once"));

        // Then
        awaitText(owner, session, "may not use the endpoint 'desk' here");

        // When the endpoint is deleted while the call waits
        owner.post(session + "/turns", Map.of("text", "!call ticket {}"));
        String second = question(owner, project);
        assertEquals(204, api.delete("/v1/endpoints/desk").status());
        owner.post(session + "/approvals/" + second, Map.of("answer", "once"));

        // Then
        awaitText(owner, session, "the tool 'ticket' or its endpoint is disabled, or was deleted");
        assertEquals(0, requestCount("/desk"));
    }

    private static String question(Api caller, String project) {
        return Awaitility.await()
                .until(() -> caller.list(project + "/approvals"), list -> !list.isEmpty())
                .getFirst()
                .get("id")
                .asText();
    }

    private static void awaitText(Api caller, String session, String text) {
        Awaitility.await()
                .untilAsserted(() -> assertTrue(
                        caller.get(session + "/messages?limit=200").text().contains(text)));
    }

    @Test
    @Tag("A22")
    void rejectsInvalidEndpointDefinitions() {
        Map<String, Object> fine = Map.of("name", "fine", "url", "https://api.example.com/v1");
        for (var wrong : List.of(
                Map.entry("url", (Object) "https://api.example.com/../x"),
                Map.entry("url", (Object) "https://me@api.example.com"),
                Map.entry("methods", (Object) List.of("TRACE")),
                Map.entry("auth", (Object) Map.of("type", "bearer", "secret", "sk-123")),
                Map.entry("allow", (Object) Map.of("roles", List.of("captain"))),
                Map.entry("allow", (Object) Map.of("users", List.of("nobody-at-all"))),
                Map.entry("allow", (Object) Map.of("projects", List.of("nowhere"))),
                Map.entry("allow", (Object) Map.of()),
                Map.entry("allow", (Object) Map.of("roles", List.of("owner"), "users", List.of())),
                Map.entry("password", (Object) "x"))) {
            var body = new HashMap<>(fine);
            body.put(wrong.getKey(), wrong.getValue());
            Answer refused = api.post("/v1/endpoints", body);
            assertEquals(400, refused.status(), wrong + " " + refused.text());
            assertTrue(refused.text().contains(wrong.getKey()), refused.text());
        }
        assertEquals(200, api.post("/v1/endpoints?dryRun=true", fine).status());
        assertEquals(404, api.get("/v1/endpoints/fine").status());
        api.create("/v1/endpoints", fine);
        assertEquals("endpoint_exists", api.post("/v1/endpoints", fine).code());
        assertEquals(428, api.send("PUT", "/v1/endpoints/fine", fine, Map.of()).status());
        assertEquals(
                "[\"GET\"]", api.get("/v1/endpoints/fine").json().get("methods").toString());
        assertEquals(
                "fine", api.list("/v1/endpoints?q=fine").getFirst().get("name").asText());
        for (var implementation : List.of(
                Map.of("endpoint", "fine"),
                Map.of("endpoint", "fine", "path", "users"),
                Map.of("endpoint", "fine", "path", "/../users"),
                Map.of("endpoint", "fine", "path", "/", "url", "https://evil.example"),
                Map.of("endpoint", "other", "path", "/"))) {
            Answer refused = api.post(
                    "/v1/tools",
                    Map.of("name", "x", "description", "x", "type", "rest", "implementation", implementation));
            assertEquals(400, refused.status(), implementation + " " + refused.text());
            assertTrue(refused.text().contains("implementation."), refused.text());
        }
    }

    @Test
    @Tag("A18")
    @Tag("I88")
    void theToolsOfAnMcpServerAreListedDefinedAndCalled() {
        // Given
        Answer listed = api.post("/v1/projects/default/mcp-tools", Map.of("server", Map.of("url", url("/mcp"))));
        assertEquals(200, listed.status(), listed.text());
        assertEquals("capital_of", listed.json().get(0).get("name").asText());

        // When
        api.create(TOOLS, listed.json().get(0));

        // Then
        String reply = reply("web:capital", "!call capital_of {\"land\":\"Austria\"}");
        assertTrue(reply.contains("The capital of Austria is known"), reply);
        Answer nobody = api.post(
                "/v1/projects/default/mcp-tools", Map.of("server", Map.of("url", "http://169.254.169.254/mcp")));
        assertEquals(502, nobody.status(), nobody.text());
        assertEquals(
                400,
                api.post("/v1/projects/default/mcp-tools", Map.of("server", Map.of("command", "ls")))
                        .status());
    }

    @Test
    @Tag("A20")
    void callsAScriptTool() {
        // Given
        api.create(
                TOOLS,
                Map.of(
                        "name",
                        "add",
                        "description",
                        "Adds",
                        "type",
                        "code",
                        "effect",
                        "idempotent",
                        "parameters",
                        List.of(
                                Map.of("name", "a", "type", "number", "required", true),
                                Map.of("name", "b", "type", "number", "required", true)),
                        "implementation",
                        Map.of("script", "return args.a + args.b")));

        // When
        String reply = reply("web:add", "!call add {\"a\":40,\"b\":2}");

        // Then
        assertTrue(reply.contains("42"), reply);
    }

    @Test
    @Tag("I88")
    void modelCallsToolsOfEachTypeAndGetsTheirResults() {
        // Given a tool of each type
        String project = api.project("Kinds");
        String tools = "/v1/projects/" + project + "/tools";
        String sum = "[{\"name\":\"a\",\"type\":\"number\"},{\"name\":\"b\",\"type\":\"number\"}]";
        api.create(tools, weather("kind_rest", "1.0.0"));
        api.create(
                tools,
                ofKind(
                        "kind_mcp_server",
                        "mcp_server",
                        "{\"server\":{\"url\":\"%s\"},\"tool\":\"capital.of\"}".formatted(url("/mcp")),
                        "[{\"name\":\"land\",\"type\":\"string\"}]"));
        api.create(
                tools,
                ofKind("kind_javascript", "javascript", "{\"script\":\"return 'js ' + (args.a + args.b)\"}", sum));
        api.create(
                tools,
                ofKind("kind_python", "python", "{\"script\":\"return 'py ' + str(args['a'] + args['b'])\"}", sum));
        api.create(
                tools,
                ofKind(
                        "kind_wasm",
                        "wasm",
                        "{\"module\":\"%s\"}"
                                .formatted(Base64.getEncoder()
                                        .encodeToString(HexFormat.of().parseHex(MODULE))),
                        sum));
        api.create(
                "/v1/tools",
                ofKind(
                        "kind_java",
                        "java",
                        "{\"class\":\"demo.Greeter\"}",
                        "[{\"name\":\"name\",\"type\":\"string\"}]"));
        var expected = new LinkedHashMap<String, String>();
        expected.put("echo", "said back");
        expected.put("kind_rest", "{\"degrees\":21,\"path\":\"/1.0.0/Graz\"}");
        expected.put("kind_mcp_server", "The capital of Austria is known");
        expected.put("kind_javascript", "js 42");
        expected.put("kind_python", "py 42");
        expected.put("kind_wasm", "{\"a\":40,\"b\":2}");
        expected.put("kind_java", "Hello, Ann, from a plug-in");
        var agent = Map.of("name", "kinds", "model", "openai/gpt-5", "tools", List.copyOf(expected.keySet()));
        api.create("/v1/projects/" + project + "/agents", agent);

        // When
        int before = models.seen().size();
        String calls = Stream.of(
                        call("echo", "{\"text\":\"said back\"}"),
                        call("kind_rest", "{\"town\":\"Graz\"}"),
                        call("kind_mcp_server", "{\"land\":\"Austria\"}"),
                        call("kind_javascript", "{\"a\":40,\"b\":2}"),
                        call("kind_python", "{\"a\":40,\"b\":2}"),
                        call("kind_wasm", "{\"a\":40,\"b\":2}"),
                        call("kind_java", "{\"name\":\"Ann\"}"))
                .collect(Collectors.joining(","));
        models.answers(completed(calls), completed(message("All of them answered.")));
        String session = "/v1/projects/" + project + "/sessions/web:kinds";
        JsonNode turn = api.post(session + "/turns?wait=90s", Map.of("text", "use them all", "agent", "kinds"))
                .json();

        // Then the model was offered the tools, called each, and got their results in the order of its calls
        assertEquals("All of them answered.", turn.path("reply").asText(), turn.toString());
        List<JsonNode> requests = requestsSince(before);
        assertEquals(2, requests.size());
        assertEquals(Set.copyOf(expected.keySet()), Set.copyOf(toolNames(requests.getFirst())));
        var results = toolResults(requests.getLast());
        assertEquals(List.copyOf(expected.entrySet()), List.copyOf(results.entrySet()));

        // Then the tables have the same results
        Awaitility.await().untilAsserted(() -> {
            var stored = new LinkedHashMap<String, String>();
            api.list(session + "/messages")
                    .forEach(message -> message.path("parts").forEach(part -> {
                        if (part.path("kind").asText().equals("tool")) {
                            assertEquals("completed", part.path("status").asText(), part.toString());
                            stored.put(
                                    part.path("name").asText(),
                                    part.path("result").asText());
                        }
                    }));
            assertEquals(List.copyOf(expected.entrySet()), List.copyOf(stored.entrySet()));
        });
    }

    private static String message(String text) {
        return Responses.message(text);
    }

    /** The model requests after the first {@code before}. */
    private static List<JsonNode> requestsSince(int before) {
        return models.seen().stream()
                .skip(before)
                .map(request -> Api.json(request.body()))
                .toList();
    }

    /** The names of the tools in a request. */
    private static List<String> toolNames(JsonNode request) {
        return request.path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asText())
                .toList();
    }

    private static String descriptionOf(JsonNode request, String tool) {
        return request.path("tools")
                .valueStream()
                .filter(definition -> definition.path("name").asText().equals(tool))
                .findFirst()
                .orElseThrow()
                .path("description")
                .asText();
    }

    /** The tool results in a request, by the names of {@link #call}. */
    private static Map<String, String> toolResults(JsonNode request) {
        var results = new LinkedHashMap<String, String>();
        request.path("input").forEach(item -> {
            if (item.path("type").asText().equals("function_call_output")) {
                results.put(
                        item.path("call_id").asText().substring("call_".length()),
                        item.path("output").asText());
            }
        });
        return results;
    }

    /** A call whose id is its number in the turn. */
    private static String call(int number, String tool, String arguments) {
        return call(tool, arguments).replace("call_" + tool, "call_" + number).replace("fc_" + tool, "fc_" + number);
    }

    private static String project(String name) {
        return "/v1/projects/" + api.project(name);
    }

    private static JsonNode turn(String project, String agent, String text) {
        Answer response =
                api.post(project + "/sessions/web:" + agent + "/turns?wait=90s", Map.of("text", text, "agent", agent));
        assertEquals(200, response.status(), response.text());
        assertEquals("COMPLETED", response.json().path("state").asText(), response.text());
        return response.json();
    }

    @Test
    @Tag("P22")
    void computerCallsReturnScreenshotsAndSafetyChecksNeedApproval() {
        // Given a computer that the rules allow, and a model that clicks, buys and buys more
        String project = project("Screen");
        api.create(
                project + "/tools",
                Map.of(
                        "name", "computer",
                        "description", "A browser",
                        "type", "rest",
                        "effect", "idempotent",
                        "parametersSchema", Map.of("type", "object"),
                        "implementation", Map.of("url", url("/screen"), "method", "POST")));
        api.create(
                project + "/agents",
                Map.of(
                        "name",
                        "clicker",
                        "model",
                        "openai/gpt-5.4",
                        "tools",
                        List.of("computer"),
                        "options",
                        Map.of("hostedTools", "[{\"type\":\"computer\"}]")));
        String click = computer("c1", "click", "[]");
        String buy = computer("c2", "buy", CHECKS);
        String buyMore = computer("c3", "buy_more", CHECKS);
        int before = models.seen().size();
        models.answers(completed(click), completed(buy), completed(buyMore), completed(message("Bought.")));
        String session = project + "/sessions/web:screen";

        // When
        api.post(session + "/turns", Map.of("text", "buy it", "agent", "clicker"));
        JsonNode first = approval(project, "c0");

        // Then
        assertEquals("computer", first.path("tool").asText());
        assertTrue(first.toString().contains("Is it you?"), first.toString());
        assertEquals(1, requestCount("/screen {\"action\":{\"type\":\"click\""), REQUESTS.toString());
        assertEquals(0, requestCount("/screen {\"action\":{\"type\":\"buy\""), "it waits");

        // When
        api.post(session + "/approvals/" + first.path("id").asText(), Map.of("answer", "once"));
        JsonNode second = approval(project, first.path("id").asText());
        api.post(session + "/approvals/" + second.path("id").asText(), Map.of("answer", "reject"));

        // Then
        Awaitility.await().until(() -> requestsSince(before).size() == 4);
        String lastRequest = models.lastBody();
        assertTrue(
                lastRequest.contains(click + "," + screen("c1", "") + "," + buy + ","
                        + screen("c2", ",\"acknowledged_safety_checks\":" + CHECKS)),
                lastRequest);
        assertFalse(lastRequest.contains(buyMore), "what nobody let pass has no screenshot");
        assertTrue(
                lastRequest.contains("\"call_id\":\"c3\",\"output\":\"error: a person said no to this"), lastRequest);
        assertEquals(1, requestCount("/screen {\"action\":{\"type\":\"buy\""));
        assertEquals(0, requestCount("/screen {\"action\":{\"type\":\"buy_more\""));
        awaitText(api, session, "Bought.");
    }

    private static String computer(String call, String action, String checks) {
        return "{\"id\":\"cu_%1$s\",\"type\":\"computer_call\",\"status\":\"completed\",\"call_id\":\"%1$s\",\"pending_safety_checks\":%3$s,\"action\":{\"type\":\"%2$s\",\"button\":\"left\",\"x\":1,\"y\":2.0}}"
                .formatted(call, action, checks);
    }

    private static String screen(String call, String fields) {
        return "{\"type\":\"computer_call_output\",\"call_id\":\"%s\",\"output\":{\"type\":\"computer_screenshot\",\"image_url\":\"%s\"}%s}"
                .formatted(call, SCREEN, fields);
    }

    /** The pending approval of a project, once there is one other than this. */
    private static JsonNode approval(String project, String notThis) {
        return Awaitility.await()
                .until(
                        () -> api.list(project + "/approvals").stream()
                                .filter(approval ->
                                        !approval.path("id").asText().equals(notThis))
                                .toList(),
                        list -> !list.isEmpty())
                .getFirst();
    }

    @Test
    @Tag("A8")
    void searchFindsSkillsByTheMeaningOfTheirDescription() {
        // Given
        String skills = project("Meaning") + "/skills";
        Map.of(
                        "invoice", "Writes bills for customers and books their payments",
                        "getaway", "How to plan a journey with trains and hotels",
                        "translate", "Translates letters into other languages",
                        "backup", "Saves databases and brings them back",
                        "recipes", "Finds something to cook from what is in the fridge")
                .forEach((name, description) -> api.create(skills, Map.of("name", name, "description", description)));

        // Then
        assertEquals(
                "getaway", search(skills, "organise%20a%20holiday%20by%20rail").getFirst());
        assertEquals("recipes", search(skills, "what%20can%20I%20eat%20tonight").getFirst());

        // When two descriptions change
        Map.of("getaway", "Mends bicycles", "invoice", "Books rooms and railway tickets for vacations")
                .forEach((name, description) -> {
                    Answer current = api.get(skills + "/" + name);
                    Answer changed = api.send(
                            "PUT",
                            skills + "/" + name,
                            Map.of("name", name, "description", description),
                            Map.of("If-Match", current.etag()));
                    assertEquals(200, changed.status(), changed.text());
                });

        // Then
        assertEquals(
                "invoice", search(skills, "organise%20a%20holiday%20by%20rail").getFirst());
        assertEquals("getaway", search(skills, "fix%20my%20bike").getFirst());
    }

    private static List<String> search(String skills, String query) {
        return api.list(skills + "?q=" + query).stream()
                .map(skill -> skill.path("name").asText())
                .toList();
    }

    @Test
    @Tag("A11")
    void listsSkillsByPriorityAndUnloadsTheLeastImportant() {
        // Given
        String project = project("Order");
        for (String name : List.of("a", "b", "c")) {
            api.create(
                    project + "/skills",
                    Map.of("name", name, "description", "How to " + name, "text", name.repeat(150)));
        }
        List<Object> skills = List.of(
                Map.of("name", "b", "priority", 1, "config", Map.of("team", "red")),
                Map.of("name", "a", "priority", 0),
                Map.of("name", "c", "priority", 2));
        for (var agent : Map.of("roomy", 100, "cramped", 8).entrySet()) {
            api.create(
                    project + "/agents",
                    Map.of(
                            "name",
                            agent.getKey(),
                            "model",
                            "openai/gpt-5",
                            "skills",
                            skills,
                            "limits",
                            Map.of("skillTokens", agent.getValue())));
        }
        int before = models.seen().size();
        models.answers(
                completed(call(1, "load_skill", "{\"name\":\"a\"}") + "," + call(2, "load_skill", "{\"name\":\"b\"}")),
                completed(call(3, "load_skill", "{\"name\":\"c\"}")),
                completed(message("Done.")),
                completed(message("Done.")));

        // When
        turn(project, "roomy", "go");
        turn(project, "cramped", "go");

        // Then
        List<JsonNode> requests = requestsSince(before);
        assertTrue(
                descriptionOf(requests.getFirst(), "load_skill")
                        .endsWith(":\n- b: How to b\n- a: How to a\n- c: How to c"),
                requests.getFirst().toString());
        String two = requests.get(1).path("instructions").asText();
        assertTrue(two.contains("a".repeat(150)) && two.contains("b".repeat(150)), two);
        assertTrue(two.contains("Configuration: {\"team\":\"red\"}"), two);
        String three = requests.get(2).path("instructions").asText();
        assertTrue(three.contains("b".repeat(150)) && three.contains("c".repeat(150)), three);
        assertFalse(three.contains("a".repeat(150)), three);
        assertTrue(
                toolResults(requests.get(2)).get("3").endsWith("To make room, these were unloaded: a."),
                requests.get(2).toString());
        assertTrue(
                descriptionOf(requests.get(3), "load_skill")
                        .endsWith(":\n- b: How to b\n- c: How to c\n- and 1 more: find them with tool_search"),
                requests.get(3).toString());
    }

    @Test
    @Tag("A12")
    void modelRequestHasTheToolsOfTheAgentAndOfLoadedSkills() {
        // Given many tools, each of a skill
        String project = project("Disclosed");
        for (int skill = 0; skill < 6; skill++) {
            var tools = new ArrayList<Map<String, Object>>();
            for (int i = 0; i < 5; i++) {
                String name = "tool" + skill + i;
                api.create(project + "/tools", weather(name, "1.0.0"));
                tools.add(Map.of("tool", name));
            }
            api.create(
                    project + "/skills",
                    Map.of("name", "skill" + skill, "description", "How to " + skill, "tools", tools));
        }
        api.create(
                project + "/agents",
                Map.of(
                        "name",
                        "discreet",
                        "model",
                        "openai/gpt-5",
                        "tools",
                        List.of("echo"),
                        "skills",
                        List.of(Map.of("name", "*"))));
        int before = models.seen().size();
        models.answers(
                completed(call(1, "tool30", "{\"town\":\"Hidden\"}")),
                completed(call(2, "load_skill", "{\"name\":\"skill3\"}")),
                completed(call(3, "tool30", "{\"town\":\"Shown\"}")),
                completed(call(4, "unload_skill", "{\"name\":\"skill3\"}")),
                completed(call(5, "tool30", "{\"town\":\"Gone\"}")),
                completed(message("Done.")));

        // When
        turn(project, "discreet", "go");

        // Then
        List<JsonNode> requests = requestsSince(before);
        Set<String> unloaded = Set.of("echo", "load_skill");
        Set<String> loaded =
                Set.of("echo", "load_skill", "unload_skill", "tool30", "tool31", "tool32", "tool33", "tool34");
        assertEquals(
                List.of(unloaded, unloaded, loaded, loaded, unloaded, unloaded),
                requests.stream().map(request -> Set.copyOf(toolNames(request))).toList());
        Map<String, String> results = toolResults(requests.getLast());
        String closed = "error: the tool 'tool30' is not loaded: load the skill 'skill3' first";
        assertEquals(List.of(closed, closed), List.of(results.get("1"), results.get("5")));
        assertTrue(results.get("3").contains("/1.0.0/Shown"), results.toString());
        assertFalse(REQUESTS.stream().anyMatch(request -> request.contains("Hidden") || request.contains("Gone")));
    }

    @Test
    @Tag("A13")
    void readOnlySkillDeniesAToolThatWrites() throws SQLException, IOException {
        // Given a rule that allows everything
        String project = project("Readers");
        var mailer = weather("mailer", "1.0.0");
        mailer.put("access", "write");
        api.create(project + "/tools", mailer);
        api.create(project + "/tools", weather("looker", "1.0.0"));
        api.create(
                project + "/skills",
                Map.of(
                        "name", "reading",
                        "description", "How to read",
                        "tools",
                                List.of(
                                        Map.of("tool", "mailer", "access", "read"),
                                        Map.of("tool", "looker", "access", "read"))));
        api.create(
                project + "/agents",
                Map.of("name", "reader", "model", "scripted/any", "skills", List.of(Map.of("name", "reading"))));

        // When
        String reply = turn(project, "reader", """
            !call load_skill {"name":"reading"}
            !then
            !call mailer {"town":"Mail"}
            !call looker {"town":"Look"}\
            """).path("reply").asText();

        // Then
        assertTrue(reply.contains("denied: the skill 'reading' gives read access to 'mailer', which does more"), reply);
        assertTrue(reply.contains("/1.0.0/Look"), reply);
        assertFalse(REQUESTS.stream().anyMatch(request -> request.contains("Mail")), "nothing was sent");
        Awaitility.await()
                .untilAsserted(
                        () -> assertEquals(List.of("looker allow t", "mailer deny f"), decisions("mailer", "looker")));
    }

    /** The decisions on calls of these tools, and whether a rule made them. */
    private static List<String> decisions(String... tools) throws SQLException, IOException {
        try (Connection connection = servers.superuser();
                PreparedStatement calls = connection.prepareStatement("""
                    SELECT concat_ws(' ', tool_name, permission, rule_id IS NOT NULL) FROM sessions.tool_call_t
                    WHERE tool_name = ANY (?) ORDER BY 1\
                    """)) {
            calls.setArray(1, connection.createArrayOf("text", tools));
            var found = new ArrayList<String>();
            ResultSet rows = calls.executeQuery();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    @Test
    @Tag("A17")
    void callsPlugInToolsAndReportsAMissingClass() {
        // Given a folder with a broken jar, and a plug-in that names a missing class
        String project = project("Plug-ins");
        List<String> tools = List.of("java_gone", "java_greeter", "greet");
        api.create(project + "/agents", Map.of("name", "plugged", "model", "scripted/any", "tools", tools));
        for (String type : List.of("Greeter", "Gone")) {
            api.create(
                    "/v1/tools",
                    ofKind(
                            "java_" + type.toLowerCase(Locale.ROOT),
                            "java",
                            "{\"class\":\"demo.%s\"}".formatted(type),
                            "[{\"name\":\"name\",\"type\":\"string\"}]"));
        }

        // When
        String reply = turn(project, "plugged", """
            !call java_gone {"name":"Ann"}
            !call java_greeter {"name":"Ann"}
            !call greet {"name":"Bob"}\
            """).path("reply").asText();
        String second = turn(project, "plugged", "!call java_greeter {\"name\":\"Eve\"}")
                .path("reply")
                .asText();
        for (String tool : tools.subList(0, 2)) {
            assertEquals(204, api.delete("/v1/tools/" + tool + "?version=1.0.0").status(), "other projects see it");
        }

        // Then
        assertTrue(reply.contains("error: no plug-in here has the tool demo.Gone"), reply);
        assertTrue(reply.contains("Hello, Ann, from a plug-in"), reply);
        assertTrue(reply.contains("Hello, Bob, from a plug-in"), reply);
        assertTrue(second.contains("Hello, Eve, from a plug-in"), second);
    }

    @Test
    @Tag("A21")
    void wasmModuleBeyondItsLimitsFailsItsCall() {
        // Given
        String project = project("Modules");
        String endless = wasm("", "01", "03400c000b4200");
        wasmTool(project, "wasm_trap", wasm("", "01", "00"), "");
        wasmTool(project, "wasm_endless", endless, ",\"fuel\":70000");
        wasmTool(project, "wasm_huge", wasm("", "904e", "4200"), "");
        wasmTool(project, "wasm_exits", wasm("0103656e7604657869740002", "01", "2000200110004200"), "");
        wasmTool(project, "wasm_echoes", MODULE, "");

        // When
        String reply = turn(project, "default", """
            !call wasm_trap {}
            !call wasm_endless {}
            !call wasm_endless {}
            !call wasm_huge {}
            !call wasm_exits {}
            !call wasm_echoes {"name":"Zoë"}\
            """).path("reply").asText();

        // Then
        assertEquals(2, reply.split("error: the module failed: ", -1).length - 1, reply);
        assertEquals(2, reply.split("error: the module used up its fuel of 70000 instructions", -1).length - 1, reply);
        assertTrue(reply.contains("error: the module requires 10000 pages of memory; the maximum is 512"), reply);
        assertTrue(reply.contains("{\"name\":\"Zoë\"}"), reply);
    }

    private static void wasmTool(String project, String name, String module, String fields) {
        String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(module));
        api.create(
                project + "/tools",
                ofKind(
                        name,
                        "wasm",
                        "{\"module\":\"%s\"%s}".formatted(base64, fields),
                        "[{\"name\":\"name\",\"type\":\"string\"}]"));
    }

    /**
     * A module with memory, alloc and run, in hexadecimal digits.
     *
     * @param imported its import section, or empty
     * @param pages of memory, in LEB128
     * @param run the instructions of run
     */
    private static String wasm(String imported, String pages, String run) {
        int first = imported.isEmpty() ? 0 : 1;
        String code = "00" + run + "0b";
        return "0061736d01000000" + section(1, "0360017f017f60027f7f017e60027f7f00") + section(2, imported)
                + section(3, "020001") + section(5, "0100" + pages)
                + section(7, "03066d656d6f7279020005616c6c6f63000" + first + "0372756e000" + (first + 1))
                + section(10, "02040041100b" + "%02x".formatted(code.length() / 2) + code);
    }

    private static String section(int id, String content) {
        return content.isEmpty() ? "" : "%02x%02x".formatted(id, content.length() / 2) + content;
    }

    private static String ofKind(String name, String type, String implementation, String parameters) {
        return "{\"name\":\"%s\",\"description\":\"One of its kind\",\"type\":\"%s\",\"effect\":\"idempotent\",\"timeout\":\"80s\",\"implementation\":%s,\"parameters\":%s}"
                .formatted(name, type, implementation, parameters);
    }

    private static String call(String tool, String arguments) {
        return Responses.call("call_" + tool, tool, arguments);
    }

    private static HttpDouble.Reply completed(String items) {
        return HttpDouble.events(
                "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":["
                        + items + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
    }

    /** Writes a jar that has one of the two tools that it names, and a broken jar, to the plug-in folder. */
    private static void plugIn() throws IOException {
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        Files.writeString(plugins.resolve("a-broken.jar"), "no jar");
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path source = Files.writeString(
                Files.createDirectories(folder.resolve("demo")).resolve("Greeter.java"), """
                package demo;
                public class Greeter implements dev.parley.tools.Tool {
                    public dev.parley.domain.definition.ToolSpec spec() {
                        return new dev.parley.domain.definition.ToolSpec("greet", "Greets", "{\\"type\\":\\"object\\"}",
                            dev.parley.domain.definition.ToolEffect.IDEMPOTENT, java.time.Duration.ofSeconds(80));
                    }
                    public dev.parley.tools.ToolOutput run(
                            dev.parley.tools.ToolCallContext call, com.fasterxml.jackson.databind.JsonNode arguments) {
                        return dev.parley.tools.ToolOutput.of("Hello, " + arguments.get("name").asText() + ", from a plug-in");
                    }
                }
                """);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertEquals(0, status);
        try (var jar = new JarOutputStream(Files.newOutputStream(plugins.resolve("greeter.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/dev.parley.tools.Tool"));
            jar.write("demo.Gone\ndemo.Greeter\n".getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new JarEntry("demo/Greeter.class"));
            jar.write(Files.readAllBytes(classes.resolve("demo").resolve("Greeter.class")));
        }
    }

    @Test
    @Tag("A25")
    void modelSearchesForToolsIfThereAreTooMany() {
        // Given
        String project = api.post("/v1/projects", Map.of("name", "Many"))
                .json()
                .get("id")
                .asText();
        for (int i = 0; i < 30; i++) {
            var tool = weather("tool" + i, "1.0.0");
            tool.put("description", i == 7 ? "Says how warm it will be tomorrow" : "Counts the sheep of herd " + i);
            api.create("/v1/projects/" + project + "/tools", tool);
        }

        // When
        String reply = api.turn("/v1/projects/" + project + "/sessions/web:many", Map.of("text", """
            !call tool7 {"town":"Rom"}
            !then
            !call tool_search {"query":"temperature forecast"}
            !then
            !call tool7 {"town":"Oslo"}\
            """))
                .json()
                .get("reply")
                .asText();

        // Then
        assertTrue(reply.contains("/1.0.0/Oslo"), reply);
        assertFalse(REQUESTS.stream().anyMatch(request -> request.contains("Rom")));
    }

    private static Map<String, Object> skill(String name, String parent, String need) {
        var skill = new HashMap<String, Object>();
        skill.put("name", name);
        skill.put("description", "How to " + name);
        skill.put("parent", parent);
        skill.put("needs", need == null ? List.of() : List.of(Map.of("skill", need)));
        return skill;
    }

    @Test
    @Tag("A10")
    void filtersSkillsByTagAndCategory() {
        // Given
        var skill = new HashMap<String, Object>(skill("filed", null, null));
        skill.put("tags", List.of("red", "round"));
        skill.put("category", "stock/top");
        api.create(SKILLS, skill);

        // Then
        for (String query : List.of(
                "?tag=red", "?tag=round", "?category=stock", "?category=stock/top", "?tag=red&category=stock")) {
            assertEquals(1, api.list(SKILLS + query).size(), query);
        }
        for (String query : List.of("?tag=re", "?category=sto", "?category=top", "?tag=red&category=cellar")) {
            assertEquals(0, api.list(SKILLS + query).size(), query);
        }

        // When
        skill.put("tags", List.of("blue"));
        skill.remove("category");
        String etag = api.get(SKILLS + "/filed").etag();
        assertEquals(
                200,
                api.send("PUT", SKILLS + "/filed", skill, Map.of("If-Match", etag))
                        .status());

        // Then
        assertEquals(0, api.list(SKILLS + "?tag=red").size());
        assertEquals(0, api.list(SKILLS + "?category=stock").size());
        assertEquals(
                "filed", api.list(SKILLS + "?tag=blue").getFirst().get("name").asText());
    }

    @Test
    void catalogueIsReadableAsSqlViews() throws SQLException, IOException {
        // Given
        String project = "/v1/projects/" + api.project("Seen");
        api.create(
                project + "/tools",
                Map.of(
                        "name",
                        "seen_tool",
                        "description",
                        "adds",
                        "type",
                        "javascript",
                        "implementation",
                        Map.of("script", "input.a"),
                        "parameters",
                        List.of(Map.of("name", "a", "type", "number", "required", true))));
        api.create(project + "/skills", Map.of("name", "seen-base", "description", "base", "text", "# Base"));
        api.create(
                project + "/skills",
                Map.of(
                        "name",
                        "seen-skill",
                        "description",
                        "sums",
                        "text",
                        "# Sums",
                        "parent",
                        "seen-base",
                        "tools",
                        List.of(Map.of("tool", "seen_tool", "access", "read")),
                        "needs",
                        List.of(Map.of("skill", "seen-base")),
                        "tags",
                        List.of("numbers"),
                        "category",
                        "office/sums"));
        api.create(
                project + "/agents",
                Map.of(
                        "name",
                        "seen_agent",
                        "model",
                        "openai/gpt-5",
                        "skills",
                        List.of(Map.of("name", "seen-skill", "priority", 3, "config", Map.of("currency", "EUR")))));

        // When
        var rows = new ArrayList<String>();
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("""
                    SELECT concat_ws('|', s.name, s.content_markdown, p.name, t.name, t.implementation_type, t.script_content,
                      l.access_level, d.required, k.priority, k.config->>'currency', g.tag, c.category, a.name, a.param_type, a.required)
                    FROM control.skill_v s
                    JOIN control.skill_v p ON p.host_id = s.host_id AND p.skill_id = s.parent_skill_id
                    JOIN control.skill_dependency_v d ON d.skill_id = s.skill_id AND d.depends_on_skill_id = p.skill_id
                    JOIN control.skill_tool_v l ON l.skill_id = s.skill_id
                    JOIN control.tool_v t ON t.host_id = s.host_id AND t.tool_id = l.tool_id
                    JOIN control.tool_param_v a ON a.tool_id = t.tool_id
                    JOIN control.agent_skill_v k ON k.skill_id = s.skill_id
                    JOIN control.entity_tag_v g ON g.entity_id = s.skill_id
                    JOIN control.entity_category_v c ON c.entity_id = s.skill_id
                    WHERE s.name = 'seen-skill'
                    """)) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }

        // Then
        assertEquals(
                List.of("seen-skill|#"
                        + " Sums|seen-base|seen_tool|javascript|input.a|read|t|3|EUR|numbers|office/sums|a|number|t"),
                rows);
    }

    @Test
    @Tag("A6")
    @Tag("A15")
    void showsSkillsAsATreeAndRejectsCycles() {
        // Given
        api.create(SKILLS, skill("root", null, null));
        api.create(SKILLS, skill("branch", "root", null));
        api.create(SKILLS, skill("leaf", "branch", "root"));
        api.create(SKILLS, skill("search", null, null));

        // When
        String tree = api.get(SKILLS.replace("/skills", "/skill-tree")).json().toString();

        // Then
        assertTrue(
                tree.contains("{\"name\":\"root\",\"description\":\"How to"
                        + " root\",\"parts\":[{\"name\":\"branch\",\"description\":\"How to"
                        + " branch\",\"parts\":[{\"name\":\"leaf\",\"description\":\"How to leaf\""),
                tree);
        assertEquals(
                "How to search",
                api.get(SKILLS + "/search").json().get("description").asText(),
                "every word may be a skill's name");

        // When
        Answer root = api.get(SKILLS + "/root");
        Answer below = api.send("PUT", SKILLS + "/root", skill("root", "leaf", null), Map.of("If-Match", root.etag()));
        Answer needing =
                api.send("PUT", SKILLS + "/root", skill("root", null, "leaf"), Map.of("If-Match", root.etag()));

        // Then
        assertEquals(409, below.status(), below.text());
        assertTrue(below.text().contains("'root' is a part of itself: root → leaf → branch → root"), below.text());
        assertEquals(409, needing.status(), needing.text());
        assertEquals("circle", needing.code());
    }
}
