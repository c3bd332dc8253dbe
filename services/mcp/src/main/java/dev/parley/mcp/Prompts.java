package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.api.ApiRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The skills of a project as MCP prompts: a list with descriptions, and the text of one. */
record Prompts(Api api, String project) {
    /** The role that serves the API requests. */
    static final String ROLE = "control";

    /** Small, as the API lists skills with their texts. */
    private static final int PAGE = 20;
    /** Skills of one prompt, with those that it requires. */
    private static final int MAX_SKILLS = 20;

    private static final String REQUEST = "request";
    private static final int MAX_REQUEST = 65_536;

    /**
     * A page of prompts; empty for callers who may not see skills.
     *
     * @param cursor null for the first page
     */
    ObjectNode list(@Nullable String cursor) throws InterruptedException {
        ApiAnswer answer = api.send(ApiRequest.get("/v1/projects/{}/skills", project)
                .with("limit", PAGE)
                .with("cursor", cursor));
        if (answer.status() == 400) {
            throw McpException.invalidParams("There is no page with this cursor.");
        }
        if (!answer.isDone() && !answer.isHidden()) {
            throw McpException.internal(answer.problem());
        }
        ObjectNode json = McpJson.object();
        ArrayNode prompts = json.putArray("prompts");
        if (answer.isDone()) {
            ObjectNode page = answer.object().orElseGet(McpJson::object);
            page.path("data").valueStream().filter(Prompts::isEnabled).forEach(skill -> add(prompts, skill));
            if (page.path("next").isTextual()) {
                json.set("nextCursor", page.get("next"));
            }
        }
        return json;
    }

    private static boolean isEnabled(JsonNode skill) {
        return skill.path("enabled").asBoolean(true);
    }

    private static void add(ArrayNode prompts, JsonNode skill) {
        ObjectNode prompt = prompts.addObject();
        prompt.set("name", skill.get("name"));
        prompt.set("description", skill.get("description"));
        prompt.putArray("arguments")
                .addObject()
                .put("name", REQUEST)
                .put("description", "Request, which is appended to the text of the prompt.")
                .put("required", false);
    }

    /** The text of a prompt, after those of required skills, and followed by the request. */
    ObjectNode get(String name, JsonNode arguments) throws InterruptedException {
        String request = request(arguments);
        var texts = new ArrayList<String>();
        JsonNode skill = read(name, new LinkedHashSet<>(), texts);
        if (!request.isBlank()) {
            texts.add(request);
        }
        ObjectNode json = McpJson.object();
        json.set("description", skill.get("description"));
        json.putArray("messages")
                .addObject()
                .put("role", "user")
                .putObject("content")
                .put("type", "text")
                .put("text", String.join("\n\n", texts));
        return json;
    }

    private static String request(JsonNode arguments) {
        JsonNode request = arguments.path(REQUEST);
        boolean fits = arguments.isMissingNode() || arguments.isObject();
        if (!fits || !request.isMissingNode() && !request.isTextual()) {
            throw McpException.invalidParams("'arguments' is an object, and its 'request' a text.");
        }
        if (request.asText("").length() > MAX_REQUEST) {
            throw McpException.invalidParams("'request' has at most %d characters.".formatted(MAX_REQUEST));
        }
        return request.asText("");
    }

    /** Adds the text of a skill, after those that it requires, each once. */
    private JsonNode read(String name, Set<String> seen, List<String> texts) throws InterruptedException {
        seen.add(name);
        if (seen.size() > MAX_SKILLS) {
            throw McpException.invalidParams("This prompt requires more than %d others.".formatted(MAX_SKILLS - 1));
        }
        ApiAnswer answer = api.send(ApiRequest.get("/v1/projects/{}/skills/{}", project, name));
        if (answer.status() >= 500 || answer.status() == 429) {
            throw McpException.internal(answer.problem());
        }
        JsonNode skill = answer.object().orElseGet(McpJson::object);
        if (!answer.isDone() || !isEnabled(skill)) {
            throw McpException.invalidParams("There is no prompt '%s'.".formatted(McpJson.abbreviate(name)));
        }
        for (JsonNode dependency : skill.path("needs")) {
            String other = dependency.path("skill").asText();
            if (dependency.path("required").asBoolean(true) && !seen.contains(other)) {
                read(other, seen, texts);
            }
        }
        texts.add(skill.path("text").asText());
        return skill;
    }
}
