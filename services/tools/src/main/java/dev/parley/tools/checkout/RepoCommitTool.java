package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.FilePath;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Commits files of a checkout. A call makes one commit, however often it runs. */
record RepoCommitTool(Checkouts checkouts) implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
                    "repo_commit",
                    "Commits files of the project's checkout as they are now, deleted ones as well, and nothing else. No hook is run.",
                    """
            {"type":"object","properties":{\
            "message":{"type":"string","minLength":1,"maxLength":10000,"description":"What changed, in the imperative; a first line, and more below an empty one"},\
            "paths":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"string","minLength":1},\
            "description":"Files and folders, such as /src; / for everything"}},\
            "required":["message","paths"],"additionalProperties":false}""",
                    ToolEffect.IDEMPOTENT,
                    Duration.ofSeconds(90))
            .with(ToolAccess.WRITE);

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String message = arguments.get("message").asString().replace("\0", "");
        if (message.isBlank()) {
            return new ToolOutput.Failed("the message is empty");
        }
        return CheckoutTools.git(checkouts, call, (checkout, git) -> {
            List<FilePath> paths = arguments
                    .get("paths")
                    .valueStream()
                    .map(path -> FilePath.folder(path.asString()))
                    .toList();
            return checkout.alone(
                    () -> git.commit(message, paths, call.agent(), call.callId().toString()));
        });
    }
}
