package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Values;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code run} tasks: a workflow, a script, a command or a container. */
final class RunReader {
    /** Members by kind of process; required ones are marked with an exclamation mark. */
    private static final Map<String, String[]> PROCESSES = Map.of(
            "workflow", TaskReader.words("!namespace !name version input"),
            "script", TaskReader.words("!language code source stdin arguments environment"),
            "shell", TaskReader.words("!command commandTemplateId stdin arguments environment"),
            "container",
                    TaskReader.words(
                            "!image name command ports volumes environment stdin arguments lifetime pullPolicy"));

    private final DefinitionReader definition;
    private final Set<String> variables;

    RunReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    TaskKind run(DefinitionNode body) {
        body.isObject("workflow", "script", "shell", "container", "await", "return");
        List<String> kinds = Stream.of("workflow", "script", "shell", "container")
                .filter(body::has)
                .toList();
        boolean await = body.get("await").isTrue(true);
        String result = body.get("return").oneOf("stdout", "stdout", "stderr", "code", "all", "none");
        if (kinds.size() != 1) {
            body.addProblem("'run' has one of workflow, script, shell, container");
            return new TaskKind.Set(new Template.Fixed(Values.NULL));
        }
        String kind = kinds.getFirst();
        DefinitionNode process = body.get(kind);
        definition.needs("run " + kind, process);
        process.isObject(Objects.requireNonNull(PROCESSES.get(kind)));
        check(kind, process);
        Template template = definition.template(process, variables);
        return kind.equals("workflow")
                ? new TaskKind.RunWorkflow(template, await)
                : new TaskKind.RunProcess(kind, template, await, result);
    }

    private void check(String kind, DefinitionNode process) {
        switch (kind) {
            case "script" -> script(process);
            case "shell" -> shell(process);
            case "container" -> container(process);
            case "workflow" -> {}
            default -> throw new IllegalStateException(kind);
        }
    }

    private static void script(DefinitionNode process) {
        process.get("language").oneOf("javascript", "javascript", "js", "python");
        if (process.has("source")) {
            process.get("source").addProblem("scripts to be fetched are not supported; 'code' is");
        } else if (!process.has("code")) {
            process.addProblem("a script needs 'code'");
        }
    }

    private void container(DefinitionNode process) {
        for (String refused : List.of("ports", "volumes", "name")) {
            if (process.has(refused)) {
                definition.needs("container " + refused, process.get(refused));
            }
        }
        process.get("pullPolicy").oneOf("ifNotPresent", "ifNotPresent", "always", "never");
        if (process.has("lifetime")) {
            DefinitionNode lifetime = process.get("lifetime");
            lifetime.isObject("cleanup", "after");
            if (!lifetime.get("cleanup")
                    .oneOf("always", "always", "never", "eventually")
                    .equals("always")) {
                definition.needs("container that stays", lifetime);
            }
        }
    }

    private void shell(DefinitionNode process) {
        if (process.has("command")) {
            process.get("command").text();
        }
        if (process.has("commandTemplateId")) {
            definition.needs("run command template", process.get("commandTemplateId"));
        }
    }
}
