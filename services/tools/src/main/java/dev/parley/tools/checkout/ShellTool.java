package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Runs a command in a checkout, at most once. */
record ShellTool(Checkouts checkouts) implements Tool {
    private static final int LONGEST_SECONDS = 600;
    private static final int USUAL_SECONDS = 120;

    private static final ToolSpec SPEC = new ToolSpec(
                    "shell",
                    "Runs a command of the shell in the project's checkout, without input, and returns what it prints and its status. "
                            + "When it ends, so does everything that it started.",
                    """
            {"type":"object","properties":{\
            "command":{"type":"string","minLength":1,"maxLength":4096,"description":"Plain commands, such as: mvn -q test"},\
            "timeout_seconds":{"type":"integer","minimum":1,"maximum":%d,"description":"After this it is ended; %d where it is missing"}},\
            "required":["command"],"additionalProperties":false}""".formatted(LONGEST_SECONDS, USUAL_SECONDS),
                    ToolEffect.AT_MOST_ONCE,
                    Duration.ofSeconds(LONGEST_SECONDS + 60),
                    new About(Subject.Kind.COMMAND, "command"))
            .with(ToolAccess.EXECUTE);

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String command = arguments.get("command").asString();
        if (command.indexOf('\0') >= 0) {
            return new ToolOutput.Failed("the command has a NUL");
        }
        var limit = Duration.ofSeconds(arguments.path("timeout_seconds").asInt(USUAL_SECONDS));
        return CheckoutTools.run(
                checkouts,
                call,
                checkout -> checkout.alone(() -> new ShellCommand(checkout.root()).run(command, limit)));
    }
}
