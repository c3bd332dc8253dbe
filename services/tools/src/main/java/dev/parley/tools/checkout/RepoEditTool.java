package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.checkout.Checkout.Changed;
import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.FileTools;
import tools.jackson.databind.JsonNode;

/** Puts one text in the place of another, in a file of a checkout. To do so twice may be another thing than once. */
record RepoEditTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_edit",
            "Replaces a text in a file of the project's checkout by another one. The old text has to be in it exactly once, "
                    + "unless replace_all is true; it may have several lines.",
            "path",
            ToolAccess.WRITE,
            ToolEffect.AT_MOST_ONCE,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root of the checkout, such as /src/main.c"},\
            "old_text":{"type":"string","minLength":1,"description":"As it stands in the file, without line numbers"},\
            "new_text":{"type":"string","description":"What is to stand there"},\
            "replace_all":{"type":"boolean","description":"true: wherever the old text is"}},\
            "required":["path","old_text","new_text"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String old = arguments.get("old_text").asString();
        String with = arguments.get("new_text").asString();
        boolean everywhere = arguments.path("replace_all").asBoolean(false);
        return CheckoutTools.run(checkouts, call, checkout -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            Changed changed = checkout.change(path, false, text -> {
                if (text == null) {
                    throw Checkout.missing(path);
                }
                return FileTools.replaced(text, old, with, everywhere);
            });
            return "Changed %s: %d bytes".formatted(path, changed.size());
        });
    }
}
