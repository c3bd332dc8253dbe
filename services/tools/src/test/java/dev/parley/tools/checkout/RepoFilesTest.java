package dev.parley.tools.checkout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools that read and write files of a checkout. */
@Tag("I11")
class RepoFilesTest {
    @TempDir
    Path folder;

    private CheckoutFixture fixture;

    @BeforeEach
    void make() throws IOException {
        fixture = new CheckoutFixture(folder);
    }

    @Test
    void listsReadsWritesAndEditsFiles() throws IOException {
        // Given
        fixture.write("src/a.txt", "one\ntwo\nthree\n");
        fixture.write(".git/config", "secret");

        // When
        String wrote = fixture.says("repo_write", "{'path':'/docs/new/b.md','content':'x'}");
        String repeated = fixture.says("repo_write", "{'path':'docs/new/b.md','content':'x'}");
        String edited = fixture.says("repo_edit", "{'path':'/src/a.txt','old_text':'two','new_text':'2'}");

        // Then
        assertEquals("Created /docs/new/b.md: 1 bytes", wrote);
        assertTrue(repeated.contains("is unchanged"), repeated);
        assertEquals("Changed /src/a.txt: 12 bytes", edited);
        assertEquals(
                "2\t2\n[1 of 3 lines; go on with offset 3]",
                fixture.says("repo_read", "{'path':'/src/a.txt','offset':2,'limit':1}"));
        assertEquals("/docs/new/b.md (1)\n/src/a.txt (12)", fixture.says("repo_list", "{'folder':'/'}"));
        assertEquals("/docs/new/b.md (1)", fixture.says("repo_list", "{'folder':'/docs','pattern':'*.md'}"));
        assertEquals("error: there is no folder /src/a.txt", fixture.says("repo_list", "{'folder':'/src/a.txt'}"));
    }

    @Test
    void ambiguousEditChangesNothing() throws IOException {
        fixture.write("a.txt", "x x");

        assertTrue(fixture.says("repo_edit", "{'path':'/a.txt','old_text':'x','new_text':'y'}")
                .contains("2 times"));
        assertTrue(fixture.says("repo_edit", "{'path':'/b/c.txt','old_text':'x','new_text':'y'}")
                .startsWith("error:"));
        assertEquals("x x", fixture.read("a.txt"));
        assertFalse(Files.exists(fixture.root.resolve("b")), "no folder is made for what is not there");
    }

    @Test
    void rejectsPathsAndLinksOutOfTheCheckout() throws IOException {
        // Given
        Path secret = Files.writeString(fixture.allowed.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(fixture.root.resolve("file-link"), secret);
        Files.createSymbolicLink(fixture.root.resolve("folder-link"), fixture.allowed);
        Files.createSymbolicLink(fixture.root.resolve("dangling"), fixture.allowed.resolve("made-by-a-link"));

        // Then
        for (String path : List.of(
                "../../secret.txt",
                "/../../secret.txt",
                "a/../../../secret.txt",
                secret.toString(),
                "/file-link",
                "/folder-link/secret.txt",
                "/folder-link/new/x.txt",
                "/dangling")) {
            String read = fixture.says("repo_read", "{'path':'" + path + "'}");
            String edited = fixture.says("repo_edit", "{'path':'" + path + "','old_text':'secret','new_text':'open'}");
            assertTrue(read.startsWith("error:"), path + ": " + read);
            assertTrue(edited.startsWith("error:"), path + ": " + edited);
            if (!path.equals(secret.toString())) { // a valid path within the checkout
                String wrote = fixture.says("repo_write", "{'path':'" + path + "','content':'open'}");
                assertTrue(wrote.startsWith("error:"), path + ": " + wrote);
            }
        }
        assertEquals("secret", Files.readString(secret));
        assertFalse(Files.exists(fixture.allowed.resolve("made-by-a-link")));
        assertFalse(Files.exists(fixture.allowed.resolve("new")));
        assertTrue(fixture.says("repo_list", "{'folder':'/folder-link'}").startsWith("error:"));
        assertTrue(fixture.says("repo_list", "{'folder':'/'}").contains("/folder-link (a link, not followed)"));
    }

    @Test
    void doesNotFollowAFolderReplacedByALink() throws Exception {
        // Given
        Path inside = fixture.write("inside/a.txt", "mine").getParent();
        Path outside = Files.createDirectories(fixture.allowed.resolve("outside"));
        Files.writeString(outside.resolve("a.txt"), "secret");
        Path aside = fixture.root.resolve("aside");

        // When
        var outputs = new HashSet<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> working = threads.submit(() -> {
                for (int i = 0; i < 500 || !outputs.contains("1\tmine\n") && i < 50_000; i++) {
                    outputs.add(fixture.says("repo_read", "{'path':'/inside/a.txt'}"));
                    outputs.add(fixture.says(
                            "repo_edit", "{'path':'/inside/a.txt','old_text':'secret','new_text':'open'}"));
                }
            });
            while (!working.isDone()) {
                Files.move(inside, aside);
                Files.createSymbolicLink(inside, outside);
                Files.delete(inside);
                Files.move(aside, inside);
            }
            working.get();
        }

        // Then
        assertTrue(outputs.contains("1\tmine\n"), outputs.toString());
        assertTrue(
                outputs.stream().noneMatch(output -> output.contains("secret") || output.startsWith("Changed")),
                outputs.toString());
        assertEquals("secret", Files.readString(outside.resolve("a.txt")));
    }

    @Test
    void hidesGitsAndParleysInternalFiles() throws IOException {
        // Given
        fixture.write(".git/config", "[core]");
        fixture.write("sub/.git/hooks/pre-commit", "#!/bin/sh");

        // Then
        for (String path : List.of("/.git/config", "/.GIT/config", "/sub/.git/hooks/pre-commit", "/.parley-x")) {
            assertTrue(fixture.says("repo_read", "{'path':'" + path + "'}").startsWith("error:"), path);
            assertTrue(
                    fixture.says("repo_write", "{'path':'" + path + "','content':''}")
                            .startsWith("error:"),
                    path);
        }
        assertEquals("No file matches.", fixture.says("repo_list", "{'folder':'/'}"));
        assertEquals("[core]", fixture.read(".git/config"));
    }

    @ParameterizedTest
    @CsvSource({"UTF-16LE, \uFEFF", "UTF-16BE, \uFEFF", "UTF-8, \uFEFF", "UTF-8, ''", "windows-1252, ''"})
    @Tag("B151")
    void anEditKeepsTheCharsetOfAFile(Charset charset, String mark) throws IOException {
        // Given
        Path file = fixture.root.resolve("a.txt");
        Files.write(file, (mark + "“naïve”\r\ntwo\r\n").getBytes(charset));

        // When
        String read = fixture.says("repo_read", "{'path':'/a.txt'}");
        String edited = fixture.says("repo_edit", "{'path':'/a.txt','old_text':'naïve','new_text':'œuvre'}");

        // Then
        assertTrue(read.startsWith("1\t“naïve”"), read);
        assertTrue(edited.startsWith("Changed "), edited);
        assertArrayEquals((mark + "“œuvre”\r\ntwo\r\n").getBytes(charset), Files.readAllBytes(file));
        String arrow = fixture.says("repo_edit", "{'path':'/a.txt','old_text':'two','new_text':'→'}");
        assertEquals(
                charset.name().equals("windows-1252"), arrow.startsWith("error: the file is in windows-1252"), arrow);
    }

    @Test
    void rejectsFilesThatAreNotText() throws Exception {
        // Given
        Files.write(fixture.root.resolve("bytes"), new byte[] {1, (byte) 0xff, 2});
        fixture.write("nul", "a\0b");
        Files.write(fixture.root.resolve("large"), new byte[Checkout.MAX_BYTES + 1]);
        Files.createDirectory(fixture.root.resolve("folder"));
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", fixture.root.resolve("pipe").toString())
                        .start()
                        .waitFor());

        // Then
        for (String path : List.of("/bytes", "/nul", "/large", "/folder", "/pipe")) {
            assertTrue(fixture.says("repo_read", "{'path':'" + path + "'}").startsWith("error:"), path);
        }
        assertTrue(fixture.says("repo_write", "{'path':'/pipe','content':''}").startsWith("error:"));
        assertTrue(fixture.says("repo_list", "{'folder':'/'}").contains("/pipe (no file with content)"));
    }

    @Test
    void concurrentEditsAreAllApplied() throws Exception {
        // Given
        int edits = 40;
        String text = String.join(
                "\n", IntStream.range(0, edits).mapToObj(i -> "<" + i + ">").toList());
        Path file = fixture.write("a.txt", text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

        // When
        var results = new ArrayList<Future<String>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < edits; i++) {
                String edit = "{'path':'/a.txt','old_text':'<%d>','new_text':'[%1$d]'}".formatted(i);
                results.add(threads.submit(() -> fixture.says("repo_edit", edit)));
            }
        }

        // Then
        assertTrue(results.stream().allMatch(result -> join(result).startsWith("Changed")), results.toString());
        assertEquals(text.replace('<', '[').replace('>', ']'), fixture.read("a.txt"));
        assertEquals("rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (Stream<Path> files = Files.list(fixture.root)) {
            assertEquals(List.of(file), files.toList(), "nothing is left on its way");
        }
    }

    private static String join(Future<String> future) {
        try {
            return future.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
