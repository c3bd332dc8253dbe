package dev.parley.tools.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.tools.kind.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a checkout that is a git repository. */
@Tag("I11")
@Tag("I12")
class RepoHistoryTest {
    @TempDir
    Path folder;

    private CheckoutFixture fixture;

    @BeforeEach
    void make() throws IOException {
        fixture = new CheckoutFixture(folder);
    }

    @Test
    void showsAndCommitsChangesAsTheAgent() throws Exception {
        // Given
        fixture.write("src/a.txt", "one\ntwo\n");
        fixture.write("gone.txt", "x");
        fixture.write(".gitignore", "target/\n");
        fixture.write("target/out", "x");
        try (Git git = fixture.git()) {
            fixture.says("repo_edit", "{'path':'/src/a.txt','old_text':'two','new_text':'2'}");
            fixture.write("new.txt", "new\n");
            Files.delete(fixture.root.resolve("gone.txt"));
            Files.createSymbolicLink(fixture.root.resolve("link"), Path.of("/etc/passwd"));

            // When
            String diff = fixture.says("repo_diff", "{'path':'/'}");
            String part = fixture.says("repo_diff", "{'path':'/src'}");
            String committed = fixture.says(
                    "repo_commit", "{'message':'Write a figure\\n\\nIt is shorter.','paths':['/src','/gone.txt']}");

            // Then
            assertTrue(diff.contains("-two\n+2\n") && diff.contains("+new\n") && diff.contains("-x\n"), diff);
            assertTrue(diff.contains("+/etc/passwd"), "of a link, where it leads: " + diff);
            assertFalse(diff.contains("target/out") || diff.contains("root:"), diff);
            assertTrue(part.contains("+2") && !part.contains("new.txt"), part);
            assertTrue(committed.startsWith("Committed ") && committed.endsWith(": Write a figure"), committed);
            RevCommit head = git.log().setMaxCount(1).call().iterator().next();
            assertEquals("default (Parley)", head.getAuthorIdent().getName());
            assertTrue(head.getFullMessage().startsWith("Write a figure\n\nIt is shorter.\n\nParley-Call: "));
            String remaining = fixture.says("repo_diff", "{'path':'/'}");
            assertTrue(
                    remaining.contains("new.txt") && !remaining.contains("a.txt") && !remaining.contains("gone.txt"),
                    remaining);
            assertTrue(fixture.says("repo_diff", "{'path':'/','from':'HEAD~1','to':'HEAD'}")
                    .contains("-two\n+2\n"));
            String log = fixture.says("repo_log", "{'path':'/'}");
            assertTrue(
                    log.matches("(?s)[0-9a-f]{10} .* default \\(Parley\\): Write a figure\n[0-9a-f]{10} .* Ada: Begin"),
                    log);
            assertTrue(fixture.says("repo_log", "{'path':'/.gitignore'}").endsWith("Ada: Begin"));
        }
    }

    @Test
    void repeatedCallCommitsOnceAndNoChangeMakesNoCommit() throws Exception {
        // Given
        fixture.write("a.txt", "one\n");
        try (Git git = fixture.git()) {
            fixture.write("a.txt", "two\n");
            var call = Calls.call();
            String arguments = "{'message':'Count','paths':['/']}";

            // When
            String first = fixture.says(call, "repo_commit", arguments);
            String repeated = fixture.says(call, "repo_commit", arguments);
            String other = fixture.says("repo_commit", arguments);

            // Then
            assertEquals(first, repeated);
            assertTrue(other.startsWith("There is nothing to commit"), other);
            assertEquals("No difference.", fixture.says("repo_diff", "{'path':'/'}"));
            assertTrue(fixture.says("repo_commit", "{'message':'x','paths':['/none']}")
                    .startsWith("There is nothing"));
            assertEquals(2, count(git));
        }
    }

    private static int count(Git git) throws Exception {
        int count = 0;
        for (RevCommit _ : git.log().call()) {
            count++;
        }
        return count;
    }

    @Test
    void commitLeavesOtherStagedChanges() throws Exception {
        // Given
        fixture.write("ignored/.gitignore", "*\n");
        fixture.write("mine.txt", "one\n");
        fixture.write("theirs.txt", "one\n");
        try (Git git = fixture.git()) {
            fixture.write("theirs.txt", "two\n");
            git.add().addFilepattern("theirs.txt").call();
            fixture.write("mine.txt", "two\n");
            fixture.write("mine/new.txt", "new\n");

            // When
            String committed = fixture.says("repo_commit", "{'message':'Mine','paths':['/mine.txt','/mine']}");

            // Then
            assertTrue(committed.startsWith("Committed"), committed);
            assertTrue(git.status().call().getChanged().contains("theirs.txt"));
            String diff = fixture.says("repo_diff", "{'path':'/','from':'HEAD~1','to':'HEAD'}");
            assertTrue(diff.contains("mine.txt") && diff.contains("mine/new.txt") && !diff.contains("theirs"), diff);
        }
    }

    @Test
    void runsNoHooksFiltersOrProgramsOfTheRepository() throws Exception {
        // Given
        Path ran = folder.resolve("ran");
        fixture.write("a.txt", "one\n");
        try (Git git = fixture.git()) {
            for (String hook : new String[] {"pre-commit", "commit-msg", "prepare-commit-msg", "post-commit"}) {
                Path file = fixture.write(".git/hooks/" + hook, "#!/bin/sh\ntouch " + ran + "\n");
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            StoredConfig config = git.getRepository().getConfig();
            config.setString("filter", "evil", "clean", "touch " + ran + "; cat");
            config.setString("core", null, "fsmonitor", "touch " + ran);
            config.setString("gpg", null, "program", "touch " + ran);
            config.setBoolean("commit", null, "gpgSign", true);
            config.save();
            fixture.write("a.txt", "two\n");
            fixture.write("b.evil", "x");

            // When
            String committed = fixture.says("repo_commit", "{'message':'Count','paths':['/a.txt']}");
            fixture.write(".gitattributes", "*.evil filter=evil\n");
            String filtered = fixture.says("repo_commit", "{'message':'Filter','paths':['/b.evil']}");
            String diff = fixture.says("repo_diff", "{'path':'/'}");

            // Then
            assertTrue(committed.startsWith("Committed"), committed);
            assertTrue(filtered.startsWith("error:"), filtered);
            assertFalse(Files.exists(ran), diff);
        }
    }

    @Test
    void ignoresSpecialFiles() throws Exception {
        // Given
        fixture.write("a.txt", "one\n");
        try (Git _ = fixture.git()) {
            assertEquals(
                    0,
                    new ProcessBuilder("mkfifo", fixture.root.resolve("pipe").toString())
                            .start()
                            .waitFor());

            // Then
            assertEquals("No difference.", fixture.says("repo_diff", "{'path':'/'}"));
            assertTrue(
                    fixture.says("repo_commit", "{'message':'x','paths':['/']}").startsWith("There is nothing"));
        }
    }

    @Test
    void reportsThatAFolderIsNotARepository() throws IOException {
        // Given
        fixture.write("a.txt", "x");

        // Then
        for (String tool : new String[] {"repo_diff", "repo_log"}) {
            assertTrue(fixture.says(tool, "{'path':'/'}").contains("is not a git repository"), tool);
        }
        assertTrue(fixture.says("repo_commit", "{'message':'x','paths':['/']}").contains("is not a git repository"));

        // And a repository outside of the checkout is not used
        fixture.write(".git", "gitdir: " + folder.resolve("elsewhere"));
        assertTrue(fixture.says("repo_log", "{'path':'/'}").contains("worktrees"));
    }

    @Test
    void createsTheFirstCommitOfARepository() throws Exception {
        try (Git _ = Git.init().setDirectory(fixture.root.toFile()).call()) {
            fixture.write("a.txt", "one\n");

            assertEquals("There is no commit yet.", fixture.says("repo_log", "{'path':'/'}"));
            assertTrue(fixture.says("repo_diff", "{'path':'/'}").contains("+one"));
            assertTrue(
                    fixture.says("repo_diff", "{'path':'/','from':'nowhere'}").contains("no revision 'nowhere'"));
            assertTrue(fixture.says("repo_commit", "{'message':'Begin','paths':['/']}")
                    .startsWith("Committed"));
        }
    }
}
