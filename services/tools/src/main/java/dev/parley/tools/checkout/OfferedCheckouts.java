package dev.parley.tools.checkout;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.service.Recurring;
import dev.parley.tools.Tool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the checkout tools for each project whose checkout is available here, and deletes them for all others: only
 * this instance knows the folders. All instances with the role {@code tools} must have the same folders and settings.
 */
public final class OfferedCheckouts extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedCheckouts.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** Erased projects are checked only every this many passes. */
    private static final int ROUNDS_BETWEEN_ERASED = 60;
    /** Maximum projects with checkout tools, each of which has records on {@code definitions}. */
    private static final int MAX_PROJECTS = 1_000;

    private final Checkouts checkouts;
    private final List<ToolSpec> tools;
    private final AccessFollower directory;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;
    private final Map<UUID, String> closed = new BoundedMap<>(MAX_PROJECTS);
    private int round;

    /** @param tools the checkout tools; empty if the operator allows no checkouts */
    public OfferedCheckouts(
            Checkouts checkouts,
            Collection<? extends Tool> tools,
            AccessFollower directory,
            KafkaDefinitions definitions,
            DefinitionsPublisher publisher) {
        super("checkouts", Duration.ZERO, "checkout tools cannot be published");
        this.checkouts = checkouts;
        this.tools = tools.stream().map(Tool::spec).toList();
        this.directory = directory;
        this.definitions = definitions;
        this.publisher = publisher;
    }

    /** The specifications of these tools. */
    public List<ToolSpec> specs() {
        return tools;
    }

    @Override
    protected void pass() {
        int open = 0;
        for (Project project : directory.withCheckout()) {
            boolean offered = open < MAX_PROJECTS && isOpen(project);
            open += offered ? 1 : 0;
            define(project, offered ? toolsOf(project) : List.of());
        }
        if (round++ % ROUNDS_BETWEEN_ERASED == 0) {
            directory.erasedRecords().stream()
                    .filter(Project.class::isInstance)
                    .forEach(project -> define((Project) project, List.of()));
        }
        if (tools.isEmpty()) {
            finish(); // all published tools are deleted, and none will follow
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return POLL_INTERVAL;
    }

    /** The tools that the project may use: the shell only where it has that power. */
    private List<ToolSpec> toolsOf(Project project) {
        return checkouts.noShell(project.host(), project.project()).isEmpty()
                ? tools
                : tools.stream()
                        .filter(tool -> !tool.name().equals(CheckoutTools.SHELL))
                        .toList();
    }

    /** Whether the checkout is available; otherwise the reason is logged once. */
    private boolean isOpen(Project project) {
        try {
            checkouts.of(project);
            closed.remove(project.project());
            return true;
        } catch (CheckoutException e) {
            if (!tools.isEmpty() && !e.getMessage().equals(closed.put(project.project(), e.getMessage()))) {
                LOG.atWarn()
                        .addKeyValue("project", project.project())
                        .addKeyValue("path", project.checkout())
                        .log("checkout of a project is not available: {}", e.getMessage());
            }
            return false;
        }
    }

    private void define(Project project, List<ToolSpec> offered) {
        var scope = new CatalogueScope(project.host(), project.project());
        List<ToolSpec> changed = offered.stream()
                .filter(tool -> !definitions.shows(scope.key(tool), tool))
                .toList();
        List<String> removed = ToolSpec.OF_CHECKOUT.stream()
                .filter(name -> offered.stream().noneMatch(tool -> tool.name().equals(name)))
                .map(name -> scope.key("tool", name))
                .filter(key -> !definitions.shows(key, null))
                .toList();
        publisher.publish(scope, changed, removed);
    }
}
