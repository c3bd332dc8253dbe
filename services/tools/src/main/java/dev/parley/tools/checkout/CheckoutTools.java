package dev.parley.tools.checkout;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.files.WorkspaceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools by which agents work in the checkout of a local or git project. */
public final class CheckoutTools {
    private static final Logger LOG = LoggerFactory.getLogger(CheckoutTools.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private CheckoutTools() {}

    /** One of each; none where the operator allows no checkouts. @param shell whether there is a shell */
    public static List<Tool> all(Checkouts checkouts, boolean shell) {
        if (!checkouts.areAllowed()) {
            return List.of();
        }
        var tools = new ArrayList<Tool>(List.of(
                new RepoListTool(checkouts),
                new RepoReadTool(checkouts),
                new RepoWriteTool(checkouts),
                new RepoEditTool(checkouts),
                new RepoDiffTool(checkouts),
                new RepoLogTool(checkouts),
                new RepoCommitTool(checkouts)));
        if (shell) {
            tools.add(new ShellTool(checkouts));
        }
        return tools;
    }

    /** @param about the argument that is a path, which rules look at */
    static ToolSpec spec(
            String name, String description, String about, ToolAccess access, ToolEffect effect, String parameters) {
        return new ToolSpec(name, description, parameters, effect, TIMEOUT, new About(Subject.Kind.PATH, about))
                .with(access);
    }

    /** What is done in a checkout, in words. */
    @FunctionalInterface
    interface Work {
        String in(Checkout checkout) throws IOException, InterruptedException;
    }

    /** Does it in the checkout of the call's project; what cannot be done the model is told. */
    static ToolOutput run(Checkouts checkouts, ToolCallContext call, Work work) throws InterruptedException {
        try {
            return ToolOutput.of(work.in(checkouts.of(call)));
        } catch (CheckoutException e) {
            return new ToolOutput.Failed(e.getMessage());
        } catch (WorkspaceException e) { // of paths and texts
            return new ToolOutput.Failed(e.getMessage());
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("call", call.callId()).setCause(e).log("checkout is not usable");
            return new ToolOutput.Failed("the checkout cannot be read or written there ("
                    + e.getClass().getSimpleName() + "); it may have changed meanwhile, or nobody may");
        }
    }

    /** Does it in the git repository of the call's project. */
    static ToolOutput git(Checkouts checkouts, ToolCallContext call, GitWork work) throws InterruptedException {
        return run(checkouts, call, checkout -> {
            try (GitCheckout git = GitCheckout.of(checkout)) {
                return work.in(checkout, git);
            }
        });
    }

    /** What is done in a git repository, in words. */
    @FunctionalInterface
    interface GitWork {
        String in(Checkout checkout, GitCheckout git) throws IOException, InterruptedException;
    }
}
