package dev.parley.tools.checkout;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.tools.ToolCallContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The checkouts of local and git projects: folders of this machine whose real paths are below one that the operator
 * allows. Only projects of the installation's own host have checkouts.
 */
public final class Checkouts {
    /** The number of locks; checkouts may share one. */
    private static final int STRIPES = 256;

    private final List<Path> allowed;
    private final PowerGrants powers;
    private final AccessDirectory directory;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toList();

    public Checkouts(ToolsConfig config, PowerGrants powers, AccessDirectory directory) {
        this.allowed = config.checkouts();
        this.powers = powers;
        this.directory = directory;
    }

    /** Whether the operator allows checkouts. */
    public boolean areAllowed() {
        return !allowed.isEmpty();
    }

    /** Whether the operator allows a shell in some checkouts. */
    public boolean haveShell() {
        return areAllowed() && powers.isOn(Kind.CHECKOUT_SHELL);
    }

    /** Why there is no shell in the checkout of a project; empty if there is one. */
    Optional<String> noShell(UUID host, UUID project) {
        return powers.refusal(Power.of(Kind.CHECKOUT_SHELL), new CatalogueScope(host, project));
    }

    /**
     * The checkout of a call.
     *
     * @throws CheckoutException with the reason why there is none
     */
    Checkout of(ToolCallContext call) {
        return directory
                .project(call.session().project())
                .filter(project -> project.host().equals(call.host()))
                .map(this::of)
                .orElseThrow(() -> new CheckoutException("this project is not known here yet; try again"));
    }

    /**
     * The checkout of a project.
     *
     * @throws CheckoutException with the reason why there is none
     */
    Checkout of(Project project) {
        String path = project.checkout();
        if (path == null) {
            throw new CheckoutException("this project has no checkout: it is remote, or has no path");
        }
        requireAllowed(project);
        Path folder = folder(path);
        if (isGitDirectory(folder)) {
            throw new CheckoutException("the folder of this project is git's own: name the one that the files are in");
        }
        var scope = new CatalogueScope(project.host(), project.project());
        for (Path allowedFolder : allowed) {
            Optional<Path> root = findRealPath(allowedFolder).stream()
                    .filter(real -> folder.startsWith(real) && !folder.equals(real))
                    .findFirst();
            if (root.isPresent() && powers.allows(power(allowedFolder), scope)) {
                return new Checkout(root.get(), folder, lock(folder));
            }
        }
        throw new CheckoutException("the folder of this project does not lie below one that the operator allows to it; "
                + powers.refusal(power(allowed.getFirst()), scope).orElse("see tools.checkouts in parley.yml"));
    }

    private static Power power(Path folder) {
        return new Power(Kind.CHECKOUTS, folder.toString());
    }

    private void requireAllowed(Project project) {
        if (allowed.isEmpty()) {
            throw new CheckoutException(
                    "checkouts are not allowed here: the operator can name their folders (tools.checkouts in parley.yml)");
        }
        if (!project.host().equals(AccessDirectory.DEFAULT_HOST)) {
            throw new CheckoutException("checkouts are for projects of the installation's own host");
        }
    }

    private static Path folder(String path) {
        return findRealPath(path).stream()
                .filter(real -> Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS))
                .findFirst()
                .orElseThrow(() -> new CheckoutException("the folder of this project is not there: its path must be "
                        + "an absolute one of the machine that runs tools"));
    }

    /** Whether the folder is inside a git directory, whose files git may execute. */
    private static boolean isGitDirectory(Path folder) {
        for (Path name : folder) {
            if (Folders.isReserved(name.toString())) {
                return true;
            }
        }
        return Files.exists(folder.resolve("HEAD"))
                && Files.isDirectory(folder.resolve("objects"))
                && Files.isDirectory(folder.resolve("refs"));
    }

    private static List<Path> findRealPath(String text) {
        try {
            Path path = Path.of(text);
            return path.isAbsolute() ? findRealPath(path) : List.of();
        } catch (InvalidPathException e) {
            return List.of();
        }
    }

    private static List<Path> findRealPath(Path path) {
        try {
            return List.of(path.toRealPath());
        } catch (IOException | SecurityException e) {
            return List.of();
        }
    }

    private ReentrantLock lock(Path folder) {
        return locks.get(Math.floorMod(folder.hashCode(), STRIPES));
    }
}
