package dev.parley.workflows.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.workflows.definition.DefinitionProblem;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.InvalidDefinitionException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions that need an unavailable executor are rejected with the reason. */
class CallExecutorsTest {
    private static final CatalogueScope PROJECT =
            new CatalogueScope(AccessDirectory.DEFAULT_HOST, RecordKey.projectId(RecordKey.DEFAULT_PROJECT));
    private static final PowerGrants DEFAULT = PowerGrants.NONE;
    private static final PowerGrants WITH_COMMANDS = new PowerGrants(
            Map.of(Power.of(Kind.WORKFLOW_SHELL), Grant.UNNAMED, Power.of(Kind.CONTAINERS), Grant.UNNAMED), true);

    private static void read(String task, PowerGrants powers) {
        DefinitionReader.read(
                "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\ndo:\n  - a: " + task,
                feature -> CallExecutors.refusal(feature, powers, PROJECT));
    }

    private static DefinitionProblem problem(String task, PowerGrants powers) {
        List<DefinitionProblem> problems = assertThrows(InvalidDefinitionException.class, () -> read(task, powers))
                .problems();
        assertEquals(1, problems.size(), problems.toString());
        return problems.getFirst();
    }

    @Test
    @Tag("W29")
    void rejectsShellCommandsUnlessTheOperatorAllowsThem() {
        String task = "{ run: { shell: { command: ls } } }";

        DefinitionProblem problem = problem(task, DEFAULT);

        assertEquals("/do/0/a/run/shell", problem.pointer());
        assertEquals(3, problem.line());
        assertTrue(problem.detail().contains("workflows: { shell: { projects: [default] } }"), problem.detail());
        read(task, WITH_COMMANDS);
    }

    @Test
    @Tag("W29")
    void containersRunOnlyWhereTheOperatorNamesTheirImages() {
        String task = "{ run: { container: { image: busybox } } }";

        assertTrue(problem(task, DEFAULT).detail().contains("workflows: { containers: { images"));
        read(task, WITH_COMMANDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{ run: { container: { image: busybox, volumes: { /etc: /etc } } } } ~ containers cannot mount folders",
                "{ run: { container: { image: busybox, lifetime: { cleanup: never } } } } ~ are always removed when they end",
                "{ run: { shell: { command: x, commandTemplateId: x } } } ~ command templates are not supported",
            })
    void rejectsUnsupportedContainerAndShellOptions(String task, String expected) {
        String detail = problem(task, WITH_COMMANDS).detail();

        assertTrue(detail.contains(expected), detail);
    }

    @Test
    void rulesNeedNothingOfAServer() {
        read("{ call: rule, with: { rule: fine } }\nuse: { rules: { fine: { expression: 'true' } } }", DEFAULT);
    }
}
