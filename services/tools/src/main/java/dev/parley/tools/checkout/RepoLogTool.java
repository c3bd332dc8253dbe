package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.FilePath;
import tools.jackson.databind.JsonNode;

/** Lists the commits of a checkout. */
record RepoLogTool(Checkouts checkouts) implements Tool {
    private static final int MOST = 100;
    private static final int USUAL = 20;

    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_log",
            "Lists commits of the project's checkout, the newest first: id, time in UTC, author, first line of the message.",
            "path",
            ToolAccess.READ,
            ToolEffect.IDEMPOTENT,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Only commits that changed this file or folder; / for all"},\
            "from":{"type":"string","minLength":1,"maxLength":200,"description":"The revision to begin at; HEAD where it is missing"},\
            "limit":{"type":"integer","minimum":1,"maximum":%d,"description":"How many; %d where it is missing"}},\
            "required":["path"],"additionalProperties":false}""".formatted(MOST, USUAL));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String from = arguments.has("from") ? arguments.get("from").asString() : null;
        return CheckoutTools.git(
                checkouts,
                call,
                (_, git) -> git.log(
                        from,
                        FilePath.folder(arguments.get("path").asString()),
                        arguments.path("limit").asInt(USUAL)));
    }
}
