package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.checkout.Checkout.Changed;
import dev.parley.tools.files.FilePath;
import tools.jackson.databind.JsonNode;

/** Writes a whole text file of a checkout. Twice is as once. */
record RepoWriteTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = CheckoutTools.spec(
            "repo_write",
            "Writes a text file of the project's checkout: a new one, or another content of one that is there. Folders need not be made. "
                    + "To change parts of a file use repo_edit.",
            "path",
            ToolAccess.WRITE,
            ToolEffect.IDEMPOTENT,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root of the checkout, such as /src/main.c"},\
            "content":{"type":"string","description":"The whole text, at most 8 MiB"}},\
            "required":["path","content"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String content = arguments.get("content").asString();
        return CheckoutTools.run(checkouts, call, checkout -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            Changed changed = checkout.change(path, true, _ -> content);
            return changed.isChanged()
                    ? "%s %s: %d bytes".formatted(changed.isNew() ? "Made" : "Wrote", path, changed.size())
                    : path + " is as it was: it has this content already";
        });
    }
}
