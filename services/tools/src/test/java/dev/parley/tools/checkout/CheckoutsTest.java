package dev.parley.tools.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.power.PowerGrants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Validation of checkout folders. */
@Tag("I11")
class CheckoutsTest {
    @TempDir
    Path folder;

    private CheckoutFixture fixture;

    @BeforeEach
    void make() throws IOException {
        fixture = new CheckoutFixture(folder);
    }

    private String errorMessage(@Nullable String checkout) {
        var project = CheckoutFixture.project(checkout);
        return assertThrows(CheckoutException.class, () -> fixture.checkouts.of(project))
                .getMessage();
    }

    @Test
    void acceptsAFolderBelowAnAllowedOne() throws IOException {
        // Given
        Path link = Files.createSymbolicLink(fixture.allowed.resolve("link"), fixture.root);

        // Then
        assertEquals(
                fixture.root,
                fixture.checkouts
                        .of(CheckoutFixture.project(fixture.root.toString()))
                        .root());
        assertEquals(
                fixture.root,
                fixture.checkouts.of(CheckoutFixture.project(link.toString())).root(),
                "it is where it really is");
    }

    @Test
    void rejectsOtherFoldersAndSaysWhy() throws IOException {
        // Given
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path sibling = Files.createDirectory(folder.resolve("allowed-not"));
        Path leads = Files.createSymbolicLink(fixture.allowed.resolve("leads-out"), outside);

        // Then
        assertTrue(errorMessage(null).contains("no checkout"));
        assertTrue(errorMessage("work/repo").contains("absolute"));
        assertTrue(errorMessage(fixture.allowed + "/gone").contains("not there"));
        assertTrue(errorMessage(
                        Files.writeString(fixture.allowed.resolve("file"), "x").toString())
                .contains("not there"));
        for (String path : List.of(
                outside.toString(),
                sibling.toString(),
                leads.toString(),
                fixture.allowed + "/../outside",
                fixture.allowed.toString(),
                "/",
                "/etc")) {
            assertTrue(errorMessage(path).contains("tools.checkouts"), path);
        }
    }

    @Test
    void rejectsGitsInternalFolders() throws IOException, GitAPIException {
        Path bare = fixture.allowed.resolve("bare");
        Git.init().setBare(true).setDirectory(bare.toFile()).call().close();
        fixture.git().close();

        assertTrue(errorMessage(bare.toString()).contains("git's own"));
        assertTrue(errorMessage(fixture.root + "/.git").contains("git's own"));
        assertTrue(errorMessage(fixture.root + "/.git/hooks").contains("git's own"));
    }

    @Test
    void rejectsCheckoutsOfOtherHosts() {
        // Given
        Project ownProject = CheckoutFixture.project(fixture.root.toString());
        var other = new Project(
                UUID.randomUUID(),
                ownProject.project(),
                1,
                "x",
                "",
                false,
                false,
                null,
                null,
                null,
                List.of(),
                false,
                ownProject.checkout());

        // Then
        assertThrows(CheckoutException.class, () -> fixture.checkouts.of(other));
    }

    @Test
    void offersToolsOnlyWithAllowedFoldersAndTheShellByItsSetting() {
        var none = new Checkouts(ToolsConfig.NONE, PowerGrants.NONE, CheckoutFixture.known(null));

        assertEquals(List.of(), CheckoutTools.all(none));
        assertEquals(ToolSpec.OF_CHECKOUT, names(true));
        assertEquals(
                Set.of("shell"),
                ToolSpec.OF_CHECKOUT.stream()
                        .filter(name -> !names(false).contains(name))
                        .collect(Collectors.toSet()));
    }

    private Set<String> names(boolean shell) {
        List<Path> folders = List.of(fixture.allowed);
        var checkouts = new Checkouts(
                CheckoutFixture.config(folders), CheckoutFixture.powers(folders, shell), CheckoutFixture.known(null));
        return CheckoutTools.all(checkouts).stream()
                .map(tool -> tool.spec().name())
                .collect(Collectors.toSet());
    }
}
