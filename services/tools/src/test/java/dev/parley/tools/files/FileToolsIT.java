package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.database.Databases;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolRegistry;
import dev.parley.tools.ToolsSchema;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of the file tools and the answers for the model. */
class FileToolsIT {
    private static final UUID HOST = UUID.randomUUID();

    @TempDir
    private static Path folder;

    private static Repositories repositories;
    private static Workspaces workspaces;

    private final RecordKey session = new RecordKey(UUID.randomUUID().toString(), "web:1");
    private final UUID turn = UUID.randomUUID();
    private int step;

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ToolsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        workspaces = WorkspaceIT.workspaces(repositories, folder);
    }

    @AfterAll
    static void close() {
        repositories.close();
    }

    private static Tool tool(String name) {
        return FileTools.all(workspaces).stream()
                .filter(tool -> tool.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private ToolCallContext call() {
        return new ToolCallContext(
                UUID.randomUUID(),
                HOST,
                session,
                session.sessionId(0),
                turn,
                turn,
                step++,
                1,
                "coder",
                null,
                Instant.now().plusSeconds(60),
                List.of(),
                null,
                new Cancellation());
    }

    /** Runs a tool; arguments have single quotes. */
    private String run(String name, String arguments) throws Exception {
        return run(name, arguments, call());
    }

    private String run(String name, String arguments, ToolCallContext call) throws Exception {
        return switch (tool(name).run(call, JsonMappers.tree(arguments.replace('\'', '"')))) {
            case ToolOutput.Text text -> text.text();
            case ToolOutput.Failed failed -> "error: " + failed.why();
            case ToolOutput.Files _ -> throw new AssertionError();
        };
    }

    @Test
    void storesMetadataAndFindsFilesByType() throws Exception {
        // Given
        run("file_write", "{'path':'/a.md','content':'one','metadata':{'status':'draft','pages':2}}");
        run("file_write", "{'path':'/b.txt','content':'one'}");

        // When
        run("file_edit", "{'path':'/a.md','old_text':'one','new_text':'two'}");

        // Then
        assertEquals(
                "/a.md (3) {\"pages\":2,\"status\":\"draft\"}",
                run("file_glob", "{'folder':'/','pattern':'*','type':'text/markdown'}"));
        assertTrue(run("file_glob", "{'folder':'/','pattern':'*','type':'x'}").startsWith("error: 'type' must be"));
        assertTrue(run("file_write", "{'path':'/a.md','content':'x','metadata':{'a':[]}}")
                .startsWith("error: metadata has texts"));
    }

    @Test
    void writesReadsEditsAndDeletesAFile() throws Exception {
        assertEquals(
                "Wrote /notes/a.md: version 1, 8 bytes",
                run("file_write", "{'path':'notes//a.md','content':'one\\ntwo\\n'}"));
        assertEquals("1\tone\n2\ttwo\n", run("file_read", "{'path':'/notes/a.md'}"));
        assertEquals(
                "Changed /notes/a.md: version 2, 6 bytes",
                run("file_edit", "{'path':'/notes/a.md','old_text':'two','new_text':'2'}"));
        assertEquals("2\t2\n", run("file_read", "{'path':'/notes/a.md','offset':2,'limit':5}"));
        assertEquals(
                "error: there is no file /none", run("file_edit", "{'path':'/none','old_text':'two','new_text':'2'}"));
        assertEquals("Deleted /notes/a.md", run("file_delete", "{'path':'/notes/a.md'}"));
        assertEquals("error: there is no file /notes/a.md", run("file_read", "{'path':'/notes/a.md'}"));
        assertTrue(run("file_write", "{'path':'../x','content':''}").startsWith("error: the path has a '..'"));
    }

    @Test
    void repeatedCallReturnsTheSameAnswer() throws Exception {
        run("file_write", "{'path':'/a','content':'x'}");
        var call = call();
        String first = run("file_edit", "{'path':'/a','old_text':'x','new_text':'xx'}", call);
        run("file_write", "{'path':'/a','content':'another'}");
        assertEquals(first, run("file_edit", "{'path':'/a','old_text':'x','new_text':'xx'}", call));
        assertEquals("1\tanother\n", run("file_read", "{'path':'/a'}"));
    }

    @Test
    void findsFilesByNameAndContent() throws Exception {
        // Given
        run("file_write", "{'path':'/src/A.java','content':'class A {\\r\\n  // TODO\\r\\n}'}");
        run("file_write", "{'path':'/src/x/B.java','content':'class B'}");
        run("file_write", "{'path':'/README.md','content':'todo: A'}");
        workspaces
                .of(HOST, session.projectId())
                .write(
                        FilePath.file("/src/p.bin"),
                        FileData.of(new byte[] {0, 1}),
                        null,
                        null,
                        Precondition.NONE,
                        new Author.Person("ann"));

        // Then
        assertEquals("/src/A.java (23)\n/src/x/B.java (7)", run("file_glob", "{'folder':'/src','pattern':'*.java'}"));
        assertEquals("/README.md (7)", run("file_glob", "{'folder':'/','pattern':'/*'}"));
        assertEquals("No file matches.", run("file_glob", "{'folder':'/none','pattern':'**'}"));
        assertEquals(
                "/README.md:1: todo: A\n/src/A.java:2: // TODO\n",
                run("file_grep", "{'folder':'/','pattern':'todo','ignore_case':true}"));
        assertEquals(
                "/src/A.java:2: // TODO\n", run("file_grep", "{'folder':'/','pattern':'TODO$','files':'**/*.java'}"));
        assertEquals("No line matches.", run("file_grep", "{'folder':'/','pattern':'\\\\x00'}"));
        assertTrue(run("file_grep", "{'folder':'/','pattern':'('}").startsWith("error: the regular expression "));
        assertTrue(run("file_read", "{'path':'/src/p.bin'}").startsWith("error: /src/p.bin is not text ("));
    }

    @Test
    void limitsTheOutputOfASearch() throws Exception {
        run("file_write", "{'path':'/many','content':'" + "a line\\n".repeat(1_000) + "'}");
        String found = run("file_grep", "{'folder':'/','pattern':'line'}");
        assertTrue(found.endsWith("[stopped after 200 lines in /many; narrow the search]"), found);
    }

    @Test
    void permissionSubjectIsTheCanonicalPath() {
        for (Tool tool : FileTools.all(workspaces)) {
            assertEquals(
                    "/secrets/key",
                    tool.spec().subject("secrets//./key").value(),
                    tool.spec().name());
            assertEquals(Subject.Kind.PATH, tool.spec().subject("/x").kind());
        }
        assertEquals(
                6, new ToolRegistry(FileTools.all(workspaces), false).specs().size(), "schemas are right");
    }
}
