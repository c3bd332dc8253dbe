package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.FileTools;
import tools.jackson.databind.JsonNode;

/** Shows lines of a text file of a checkout, with their numbers. */
record RepoReadTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_read",
            "Reads a text file of the project's checkout. Each line comes with its number and a tab before it, which are not part of it.",
            "path",
            ToolAccess.READ,
            ToolEffect.IDEMPOTENT,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root of the checkout, such as /src/main.c"},\
            "offset":{"type":"integer","minimum":1,"maximum":1000000000,"description":"The first line to show; 1 where it is missing"},\
            "limit":{"type":"integer","minimum":1,"maximum":%d,"description":"How many lines; %1$d where it is missing"}},\
            "required":["path"],"additionalProperties":false}""".formatted(FileTools.MOST_LINES));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return CheckoutTools.run(checkouts, call, checkout -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            return FileTools.lines(
                    path.value(),
                    checkout.text(path),
                    arguments.path("offset").asInt(1),
                    arguments.path("limit").asInt(FileTools.MOST_LINES));
        });
    }
}
