package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.Glob;
import tools.jackson.databind.JsonNode;

/** Lists the files of a checkout whose paths match a pattern. */
record RepoListTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_list",
            "Lists files of the project's checkout by a pattern of their paths, with sizes in bytes. Links are not followed.",
            "folder",
            ToolAccess.READ,
            ToolEffect.IDEMPOTENT,
            """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Where to look, such as /src; / for everywhere"},\
            "pattern":{"type":"string","description":\
            "From the folder: ** across folders, * within a name, {a,b} one of these. Without a slash a name in any folder; everything where it is missing"}},\
            "required":["folder"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return CheckoutTools.run(checkouts, call, checkout -> {
            FilePath folder = FilePath.folder(arguments.get("folder").asString());
            String pattern = arguments.path("pattern").asString("**");
            return new Listing(new Glob(folder, pattern)).of(checkout, folder);
        });
    }
}
