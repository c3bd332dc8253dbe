package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.api.ApiRequest;
import java.util.List;
import java.util.Optional;

/** Lists and reads resources. */
final class Resources {
    /** Maximum number of listed resources of each kind, the newest ones; others are read by their URI. */
    static final int LISTED = 50;

    private final List<Resource> kinds;

    Resources(List<Resource> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** Templates of URIs. */
    ObjectNode templates() {
        ObjectNode json = McpJson.object();
        ArrayNode templates = json.putArray("resourceTemplates");
        kinds.forEach(kind -> templates.add(kind.templateJson()));
        return json;
    }

    /** The resources that the caller can read in a project. */
    ObjectNode list(Api api, String project) throws InterruptedException {
        ObjectNode json = McpJson.object();
        ArrayNode resources = json.putArray("resources");
        kinds.stream().filter(Resource::isIndex).forEach(kind -> resources.add(kind.index(project)));
        for (Resource kind : kinds) {
            Optional<ApiRequest> request = kind.list(project, LISTED);
            if (request.isPresent()) {
                ApiAnswer answer = api.send(request.get());
                if (!answer.isDone() && !answer.isHidden()) {
                    throw McpException.internal(answer.problem());
                }
                answer.object().filter(_ -> answer.isDone()).ifPresent(page -> kind.addAll(resources, page, project));
            }
        }
        return json;
    }

    /** Reads a resource. */
    ObjectNode read(Api api, String uri, McpVersion version) throws InterruptedException {
        for (Resource kind : kinds) {
            Optional<ApiRequest> request = kind.request(uri);
            if (request.isPresent()) {
                return contents(kind, uri, api.send(request.get()), version);
            }
        }
        throw McpException.unknownResource(
                uri,
                "There is no resource of this kind; resources/templates/list lists the kinds of resources.",
                version);
    }

    private static ObjectNode contents(Resource kind, String uri, ApiAnswer answer, McpVersion version) {
        if (!answer.isDone()) {
            throw answer.status() >= 500
                    ? McpException.internal(answer.problem())
                    : McpException.unknownResource(uri, answer.problem(), version);
        }
        ObjectNode json = McpJson.object();
        json.putArray("contents")
                .addObject()
                .put("uri", uri)
                .put("mimeType", kind.mimeType())
                .put("text", answer.text());
        return json;
    }
}
