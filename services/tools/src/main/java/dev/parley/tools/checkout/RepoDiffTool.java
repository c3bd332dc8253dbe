package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.FilePath;
import tools.jackson.databind.JsonNode;

/** Shows what differs in a checkout. */
record RepoDiffTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_diff",
            "Shows a unified diff of the project's checkout: its files as they are now, new ones among them, against the last commit; "
                    + "or two revisions.",
            "path",
            ToolAccess.READ,
            ToolEffect.IDEMPOTENT,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"The file or folder to compare, such as /src; / for everything"},\
            "from":{"type":"string","minLength":1,"maxLength":200,"description":"A revision such as HEAD~2; HEAD where it is missing"},\
            "to":{"type":"string","minLength":1,"maxLength":200,"description":"A revision; the files as they are now where it is missing"}},\
            "required":["path"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String from = arguments.path("from").asString("HEAD");
        String to = arguments.has("to") ? arguments.get("to").asString() : null;
        return CheckoutTools.git(
                checkouts,
                call,
                (_, git) ->
                        git.diff(from, to, FilePath.folder(arguments.get("path").asString())));
    }
}
