package dev.parley.tools.checkout;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.Told;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.PersonIdent;
import org.jspecify.annotations.Nullable;

/** A folder that an operator allows, and the checkout of the default project in it. */
final class CheckoutFixture {
    final Path allowed;
    final Path root;
    final Checkouts checkouts;
    private final Map<String, Tool> tools;

    CheckoutFixture(Path folder) throws IOException {
        allowed = Files.createDirectory(folder.toRealPath().resolve("allowed"));
        root = Files.createDirectories(allowed.resolve("work/repo"));
        checkouts = checkouts(root.toString());
        tools = CheckoutTools.all(checkouts).stream()
                .collect(Collectors.toMap(tool -> tool.spec().name(), tool -> tool));
    }

    /** The checkouts of an installation whose default project has this checkout. */
    Checkouts checkouts(@Nullable String checkout) {
        return new Checkouts(config(List.of(allowed)), powers(List.of(allowed), true), known(checkout));
    }

    static ToolsConfig config(List<Path> checkouts) {
        return new ToolsConfig(null, null, Map.of(), checkouts);
    }

    /** Every project of the installation's own host may have a checkout below these folders. */
    static PowerGrants powers(List<Path> checkouts, boolean shell) {
        var own = new Grant(true, Set.of(), Set.of(AccessDirectory.DEFAULT_HOST));
        var grants = new HashMap<Power, Grant>();
        checkouts.forEach(folder -> grants.put(new Power(Kind.CHECKOUTS, folder.toString()), own));
        if (shell) {
            grants.put(Power.of(Kind.CHECKOUT_SHELL), own);
        }
        return new PowerGrants(grants, true);
    }

    static AccessDirectory known(@Nullable String checkout) {
        var directory = new Told();
        directory.say(project(checkout));
        return directory;
    }

    static Project project(@Nullable String checkout) {
        return new Project(
                AccessDirectory.DEFAULT_HOST,
                RecordKey.projectId("default"),
                1,
                "default",
                "",
                false,
                false,
                null,
                null,
                null,
                List.of(),
                false,
                checkout);
    }

    /** The output of a tool; a failure starts with {@code error: }. */
    String says(String tool, String arguments) {
        return says(Calls.call(), tool, arguments);
    }

    String says(ToolCallContext call, String tool, String arguments) {
        try {
            return switch (tools.get(tool).run(call, Calls.json(arguments))) {
                case ToolOutput.Text text -> text.text();
                case ToolOutput.Failed failed -> "error: " + failed.why();
                case ToolOutput.Files _ -> throw new AssertionError("a file");
            };
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Makes the checkout a repository and commits its files. */
    Git git() {
        try {
            Git git = Git.init()
                    .setDirectory(root.toFile())
                    .setInitialBranch("main")
                    .call();
            git.add().addFilepattern(".").call();
            var ada = new PersonIdent("Ada", "ada@example.org");
            git.commit()
                    .setMessage("Begin")
                    .setAuthor(ada)
                    .setCommitter(ada)
                    .setSign(false)
                    .call();
            return git;
        } catch (GitAPIException e) {
            throw new AssertionError(e);
        }
    }

    Path write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    String read(String path) throws IOException {
        return Files.readString(root.resolve(path));
    }
}
