package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.RpcMessage.Request;
import dev.parley.platform.api.Api;
import dev.parley.platform.schema.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Dispatches requests to methods. Stateless. */
final class McpServer {
    /** Cache lifetime of results that do not change while the server runs, in milliseconds. */
    private static final long CACHE_TTL_MS = 300_000;

    private static final String INSTRUCTIONS =
            "Parley runs agents, their memory and workflows. ask_agent sends a message to an agent "
                    + "and waits for its reply; pass the same session again to continue the conversation. A "
                    + "result with done: false says how to check it later. Agents may ask a person for "
                    + "permission to use a tool: show the person the question, and let them answer.";

    private static final ToolResult NO_ANSWER = new ToolResult.Failed(
            "This key cannot answer for a person: it lacks the permission mcp.answer. Let the person answer "
                    + "in Parley, in its chats or its console.");

    private final Map<String, Offered> tools;
    private final Resources resources;
    private final boolean hasPrompts;
    private final String serverVersion;

    /** @param schema of the tool's arguments */
    record Offered(McpTool tool, JsonSchema schema) {}

    /**
     * A server.
     *
     * @param roles of the processes that answer API requests; tools and resources that need others are not offered
     * @param serverVersion of Parley
     */
    McpServer(Set<String> roles, String serverVersion) {
        this.serverVersion = serverVersion;
        this.tools = offered(McpTool.all().stream()
                .filter(tool -> roles.containsAll(tool.roles()))
                .toList());
        this.resources = new Resources(Resource.all().stream()
                .filter(kind -> roles.containsAll(kind.roles()))
                .toList());
        this.hasPrompts = roles.contains(Prompts.ROLE);
    }

    /**
     * Tools by name, in their order.
     *
     * @throws IllegalStateException if two have the same name
     */
    static Map<String, Offered> offered(List<McpTool> tools) {
        var offered = new LinkedHashMap<String, Offered>();
        for (McpTool tool : tools) {
            if (offered.put(tool.name(), new Offered(tool, tool.input().compile())) != null) {
                throw new IllegalStateException("Two MCP tools have the name " + tool.name());
            }
        }
        return offered;
    }

    /**
     * Caller and project of a request.
     *
     * @param user the id of the caller
     * @param project the key of the caller's project, used if the request names none
     * @param answers whether the caller's key may answer approvals and tasks
     */
    record Context(Api api, String user, String project, boolean answers, Progress progress) {}

    /**
     * Answers a request.
     *
     * @throws McpException if there is no result
     */
    ObjectNode answer(Request request, McpVersion version, Context context) throws InterruptedException {
        return version.isModern() ? modern(request, version, context) : legacy(request, version, context);
    }

    private ObjectNode modern(Request request, McpVersion version, Context context) throws InterruptedException {
        ObjectNode result = switch (request.method()) {
            case "server/discover" -> cacheable(discover());
            case "tools/list" -> cacheable(tools(request, context));
            case "resources/templates/list" -> cacheable(templates(request));
            case "resources/list" -> uncached(resources(request, context));
            case "resources/read" -> uncached(read(request, version, context));
            case "prompts/list" -> uncached(prompts(request, version, context));
            case "prompts/get" -> prompt(request, version, context);
            case "tools/call" -> call(request, context);
            default -> throw McpException.unknownMethod(request.method(), version);
        };
        result.put("resultType", "complete");
        result.putObject("_meta").set(McpVersion.META + "serverInfo", info());
        return result;
    }

    private ObjectNode legacy(Request request, McpVersion version, Context context) throws InterruptedException {
        return switch (request.method()) {
            case "initialize" -> initialize(request);
            case "ping" -> McpJson.object();
            case "tools/list" -> tools(request, context);
            case "tools/call" -> call(request, context);
            case "resources/list" -> resources(request, context);
            case "resources/templates/list" -> templates(request);
            case "resources/read" -> read(request, version, context);
            case "prompts/list" -> prompts(request, version, context);
            case "prompts/get" -> prompt(request, version, context);
            default -> throw McpException.unknownMethod(request.method(), version);
        };
    }

    private static ObjectNode cacheable(ObjectNode result) {
        return result.put("ttlMs", CACHE_TTL_MS).put("cacheScope", "private");
    }

    private static ObjectNode uncached(ObjectNode result) {
        return result.put("ttlMs", 0).put("cacheScope", "private");
    }

    private ObjectNode discover() {
        ObjectNode json = McpJson.object();
        McpVersion.SUPPORTED.forEach(json.putArray("supportedVersions")::add);
        json.set("capabilities", capabilities());
        return json.put("instructions", INSTRUCTIONS);
    }

    private ObjectNode initialize(Request request) {
        ObjectNode json = McpJson.object()
                .put("protocolVersion", McpVersion.negotiate(request.params().path("protocolVersion")));
        json.set("capabilities", capabilities());
        json.set("serverInfo", info());
        return json.put("instructions", INSTRUCTIONS);
    }

    private ObjectNode capabilities() {
        ObjectNode json = McpJson.object();
        json.putObject("tools");
        json.putObject("resources");
        if (hasPrompts) {
            json.putObject("prompts");
        }
        return json;
    }

    private ObjectNode info() {
        return McpJson.object().put("name", "parley").put("title", "Parley").put("version", serverVersion);
    }

    private ObjectNode tools(Request request, Context context) {
        requireFirstPage(request);
        ObjectNode json = McpJson.object();
        ArrayNode list = json.putArray("tools");
        tools.values().stream()
                .map(Offered::tool)
                .filter(tool -> context.answers() || !tool.answers())
                .forEach(tool -> list.add(tool.json()));
        return json;
    }

    private ObjectNode templates(Request request) {
        requireFirstPage(request);
        return resources.templates();
    }

    private ObjectNode resources(Request request, Context context) throws InterruptedException {
        requireFirstPage(request);
        return resources.list(context.api(), context.project());
    }

    /** These lists have one page, as some clients read only the first: every cursor is unknown. */
    private static void requireFirstPage(Request request) {
        JsonNode cursor = request.params().get("cursor");
        if (cursor != null && !cursor.isNull()) {
            throw McpException.invalidParams("There is no page with this cursor.");
        }
    }

    private ObjectNode read(Request request, McpVersion version, Context context) throws InterruptedException {
        String uri = request.params().path("uri").textValue();
        if (uri == null) {
            throw McpException.invalidParams("'uri' is missing.");
        }
        return resources.read(context.api(), uri, version);
    }

    private ObjectNode prompts(Request request, McpVersion version, Context context) throws InterruptedException {
        JsonNode cursor = request.params().path("cursor");
        if (!cursor.isMissingNode() && !cursor.isNull() && !cursor.isTextual()) {
            throw McpException.invalidParams("There is no page with this cursor.");
        }
        return promptsOf(request, version, context).list(cursor.textValue());
    }

    private ObjectNode prompt(Request request, McpVersion version, Context context) throws InterruptedException {
        String name = request.params().path("name").textValue();
        if (name == null) {
            throw McpException.invalidParams("'name' is missing.");
        }
        return promptsOf(request, version, context).get(name, request.params().path("arguments"));
    }

    /** The prompts, if the role that serves them runs. */
    private Prompts promptsOf(Request request, McpVersion version, Context context) {
        if (!hasPrompts) {
            throw McpException.unknownMethod(request.method(), version);
        }
        return new Prompts(context.api(), context.project());
    }

    private ObjectNode call(Request request, Context context) throws InterruptedException {
        String name = request.params().path("name").textValue();
        if (name == null) {
            throw McpException.invalidParams("'name' is missing.");
        }
        Offered offered = tools.get(name);
        if (offered == null) {
            throw McpException.invalidParams("Unknown tool: " + McpJson.abbreviate(name));
        }
        JsonNode input = request.params().path("arguments");
        if (!input.isObject() && !input.isMissingNode()) {
            throw McpException.invalidParams("'arguments' is an object.");
        }
        ObjectNode arguments = input instanceof ObjectNode object ? object : McpJson.object();
        return run(offered, arguments, context).json();
    }

    private ToolResult run(Offered offered, ObjectNode arguments, Context context) throws InterruptedException {
        McpTool tool = offered.tool();
        if (tool.answers() && !context.answers()) {
            return NO_ANSWER;
        }
        List<String> faults = offered.schema().errors(arguments.toString());
        if (!faults.isEmpty()) {
            return new ToolResult.Failed("The arguments of %s are invalid: %s. Change them and call again."
                    .formatted(tool.name(), String.join("; ", faults)));
        }
        return tool.action()
                .run(new McpToolCall(
                        new McpArguments(arguments),
                        context.api(),
                        context.user(),
                        context.project(),
                        context.progress()));
    }
}
