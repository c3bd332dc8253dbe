package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts files back, or forth again, for the turn machine, which takes turns back; no model is told of it. */
record FilesRevertTool(Workspaces workspaces) implements Tool {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ToolSpec SPEC =
            FileTools.spec(ToolSpec.FILES_REVERT, "Puts files back that turns changed.", "", ToolAccess.WRITE, """
            {"type":"object","properties":{\
            "takeBack":{"type":"array","items":{"type":"string","format":"uuid"}},\
            "bringBack":{"type":"array","items":{"type":"string","format":"uuid"}}},\
            "minProperties":1,"maxProperties":1,"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        var by = new Author.Person(call.user() == null ? call.agent() : call.user());
        return FileTools.tell(
                workspaces,
                call,
                workspace -> JSON.writeValueAsString(
                        arguments.has("takeBack")
                                ? workspace.takeBack(call.callId(), ids(arguments.get("takeBack")), by)
                                : workspace.bringBack(call.callId(), ids(arguments.get("bringBack")), by)));
    }

    private static List<UUID> ids(JsonNode array) {
        var ids = new ArrayList<UUID>();
        array.forEach(id -> ids.add(UUID.fromString(id.asString())));
        return ids;
    }
}
