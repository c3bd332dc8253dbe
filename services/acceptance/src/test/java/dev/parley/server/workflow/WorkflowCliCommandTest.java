package dev.parley.server.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class WorkflowCliCommandTest {
    private static final String HEAD = "document: { dsl: '1.0.3', namespace: test, name: greet, version: '1.0.0' }\n";

    @TempDir
    Path folder;

    private final StringWriter output = new StringWriter();

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("good.yaml"), HEAD + """
                do:
                  - ask: { ask: { prompt: 'Who is there?' } }
                  - greet: { set: { text: '${ "Hello " + .value }' } }
                """);
        Files.writeString(folder.resolve("bad.yaml"), HEAD + "do:\n  - greet: { sett: 1 }\n");
        Files.writeString(folder.resolve("cases.json"), """
                {"answers": {"ask": {"output": "Ada"}},
                 "cases": [{"name": "Ada", "expected": {"output": {"text": "Hello Ada"}}}]}
                """);
        Files.writeString(folder.resolve("wrong.json"), """
                [{"name": "Bob", "answers": {"ask": {"output": "Bob"}}, "expected": {"output": {"text": "Hello Ada"}}}]
                """);
    }

    private int run(String... arguments) {
        var out = new PrintWriter(output);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].endsWith("yaml") || arguments[i].endsWith("json")
                    ? folder.resolve(arguments[i]).toString()
                    : arguments[i];
        }
        return new CommandLine(new WorkflowCliCommand()).setOut(out).setErr(out).execute(arguments);
    }

    @Test
    void validatesADefinition() {
        assertEquals(0, run("validate", "good.yaml"));
        assertTrue(output.toString().contains("test:greet:1.0.0 can run"), output.toString());
    }

    @Test
    void reportsErrorsWithTheirLine() {
        assertEquals(1, run("validate", "good.yaml", "bad.yaml", "missing.yaml"));
        assertTrue(
                output.toString().contains("line 3, column 14: 'sett' is not known here; did you mean 'set'?"),
                output.toString());
        assertTrue(output.toString().contains("missing.yaml cannot be read"), output.toString());
    }

    @Test
    void runsADefinitionWithRecordedResults() {
        assertEquals(0, run("test", "good.yaml", "--cases", "cases.json"));
        assertTrue(output.toString().contains("ok    Ada: completed after 2 tasks"), output.toString());
        assertTrue(output.toString().contains("1 of 1 cases are as expected."), output.toString());
    }

    @Test
    void failsOnAnUnexpectedResult() {
        assertEquals(1, run("test", "good.yaml", "--cases", "wrong.json"));
        assertTrue(
                output.toString().contains("output is {\"text\":\"Hello Bob\"}, not {\"text\":\"Hello Ada\"}"),
                output.toString());
        assertTrue(output.toString().contains("path: ask → greet"), output.toString());
    }

    @Test
    void outputEqualsThatOfTheGuide() throws IOException {
        // Given
        String page = Files.readString(Path.of("../../docs/workflows.md"));
        String guide = page.substring(page.indexOf("## Trying a definition without a server"));
        Files.writeString(folder.resolve("refund.yaml"), block(guide, "yaml"));
        Files.writeString(folder.resolve("refund-cases.json"), block(guide, "json"));

        // Then
        assertEquals(0, run("validate", "refund.yaml"), output::toString);
        assertEquals(0, run("test", "refund.yaml", "--cases", "refund-cases.json"), output::toString);
        assertTrue(output.toString().lines().count() > 1, output::toString);
        output.toString()
                .replace(folder + "/", "")
                .lines()
                .forEach(line -> assertTrue(guide.contains("\n" + line + "\n"), () -> "not in the guide: " + line));
    }

    private static String block(String guide, String language) {
        int start = guide.indexOf("```" + language + "\n") + language.length() + 4;
        return guide.substring(start, guide.indexOf("```", start));
    }

    @Test
    void aDefinitionIsDrawn() {
        assertEquals(0, run("diagram", "good.yaml"));
        assertTrue(output.toString().startsWith("flowchart TD"), output.toString());
        assertEquals(1, run("diagram", "missing.yaml"));
    }

    @Test
    void rejectsTestsWithoutCasesOrWithAnInvalidDefinition() {
        assertEquals(2, run("test", "good.yaml"));
        assertEquals(1, run("test", "bad.yaml", "--cases", "cases.json"));
    }
}
