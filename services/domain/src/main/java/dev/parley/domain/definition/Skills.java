package dev.parley.domain.definition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The skills of an agent as its model sees them: descriptions of all, and texts of the loaded ones. Both have a size
 * limit; when not all fit, those with the highest priority are kept.
 */
public final class Skills {
    private static final int CHARACTERS_PER_TOKEN = 4; // approximately
    private static final String LOAD =
            "Loads the instructions and tools of a skill. Load a skill before you start a task that it is for. Skills:";

    private final SequencedMap<String, Entry> entries;
    private final Map<String, Skill> loadable;
    private final List<Skill> loaded;
    private final int room;
    private final Definitions definitions;

    /** A skill of the agent, in the version that it uses. */
    private record Entry(
            Skill skill, int priority, @Nullable String config) {
        String line() {
            return "\n- " + skill.name() + ": " + skill.description();
        }
    }

    private Skills(
            SequencedMap<String, Entry> entries,
            Map<String, Skill> loadable,
            List<Skill> loaded,
            int room,
            Definitions definitions) {
        this.entries = entries;
        this.loadable = loadable;
        this.loaded = loaded;
        this.room = room;
        this.definitions = definitions;
    }

    public static Skills of(Agent agent, Definitions definitions, Disclosed disclosed) {
        var entries = new LinkedHashMap<String, Entry>();
        for (AgentSkill listed : agent.skills()) {
            if (listed.name().equals(AgentSkill.ALL)) {
                definitions.skills().forEach(skill -> addEntry(entries, listed, Optional.of(skill)));
            } else {
                addEntry(entries, listed, definitions.skill(listed.name(), listed.version()));
            }
        }
        Map<String, Skill> loadable = loadable(entries, definitions);
        List<Skill> loaded = disclosed.skills().stream()
                .filter(skill -> loadable.containsKey(skill.name()))
                .flatMap(skill -> definitions.skill(skill.name(), skill.version()).stream())
                .toList();
        return new Skills(entries, loadable, loaded, agent.limits().skillTokens() * CHARACTERS_PER_TOKEN, definitions);
    }

    /** A skill listed by name overrides {@link AgentSkill#ALL}. */
    private static void addEntry(Map<String, Entry> entries, AgentSkill listed, Optional<Skill> found) {
        found.ifPresent(skill -> {
            boolean isNamed = !listed.name().equals(AgentSkill.ALL);
            var next = new Entry(skill, listed.priority(), listed.config());
            entries.merge(skill.name(), next, (before, _) -> isNamed ? next : before);
        });
    }

    /** The agent's skills and their dependencies, by name. */
    private static Map<String, Skill> loadable(Map<String, Entry> entries, Definitions definitions) {
        var loadable = new LinkedHashMap<String, Skill>();
        var next = new ArrayDeque<>(entries.values().stream().map(Entry::skill).toList());
        while (!next.isEmpty()) {
            Skill skill = next.remove();
            if (loadable.putIfAbsent(skill.name(), skill) == null) {
                skill.needs()
                        .forEach(need -> definitions.skill(need.skill(), null).ifPresent(next::add));
            }
        }
        return loadable;
    }

    /** The agent's skills, in its order. */
    List<Skill> all() {
        return entries.values().stream().map(Entry::skill).toList();
    }

    /** The loaded skills, in the order in which their texts are read. */
    public List<Skill> loaded() {
        return loaded;
    }

    /** Names of the tools that come with a skill, loaded or not. */
    Set<String> linkedTools() {
        return Stream.concat(loadable.values().stream(), loaded.stream())
                .flatMap(skill -> skill.tools().stream())
                .map(SkillTool::tool)
                .collect(Collectors.toSet());
    }

    /** Whether the listing omits skills for lack of space. */
    boolean isCut() {
        return describedNames().size() < entries.size();
    }

    /** The skills that can be loaded, as listed to the model. */
    String listing() {
        Set<String> described = describedNames();
        var lines = new StringBuilder(LOAD);
        entries.values().stream()
                .filter(entry -> described.contains(entry.skill().name()))
                .forEach(entry -> lines.append(entry.line()));
        int remaining = entries.size() - described.size();
        return remaining == 0
                ? lines.toString()
                : lines + "\n- and %d more: find them with tool_search".formatted(remaining);
    }

    private Set<String> describedNames() {
        return fitting(entries.values().stream()
                .sorted(Comparator.comparingInt(Entry::priority).reversed())
                .collect(Collectors.toMap(
                        entry -> entry.skill().name(),
                        entry -> entry.line().length(),
                        (a, _) -> a,
                        LinkedHashMap::new)));
    }

    /** The names in order, as far as they fit. */
    private Set<String> fitting(SequencedMap<String, Integer> lengths) {
        var fitting = new LinkedHashSet<String>();
        int remaining = room;
        for (var length : lengths.entrySet()) {
            remaining -= length.getValue();
            if (remaining < 0) {
                break;
            }
            fitting.add(length.getKey());
        }
        return fitting;
    }

    /** The texts of the loaded skills, which the model reads after the agent's prompt. */
    public String instructions() {
        return loaded.stream().map(this::instruction).collect(Collectors.joining("\n\n"));
    }

    private String instruction(Skill skill) {
        Entry entry = entries.get(skill.name());
        String config = entry == null || entry.config() == null ? "" : "\n\nConfiguration: " + entry.config();
        return "<skill name=\"%s\" version=\"%s\">\n%s%s\n</skill>"
                .formatted(skill.name(), skill.version(), skill.text().strip(), config);
    }

    /**
     * The result of loading a skill.
     *
     * @param loaded all loaded skills, in reading order
     * @param added those that were not loaded before
     * @param dropped names of those unloaded to make room
     */
    public record Loading(List<Skill> loaded, List<Skill> added, List<String> dropped) {}

    /**
     * Loads a skill, after its dependencies.
     *
     * @throws IllegalArgumentException if it cannot be loaded; the message is for the model
     */
    public Loading load(String name) {
        Entry requested = entries.get(name);
        if (requested == null) {
            throw new IllegalArgumentException("there is no skill '" + name + "'; there are "
                    + entries.keySet().stream().limit(50).collect(Collectors.joining(", ")));
        }
        var chain = new LinkedHashMap<String, Skill>();
        require(requested.skill(), chain, new LinkedHashSet<>());
        int size =
                chain.values().stream().mapToInt(skill -> skill.text().length()).sum();
        if (size > room) {
            throw new IllegalArgumentException(
                    "the skill '%s' with what it needs takes about %d tokens, and there is room for %d"
                            .formatted(name, size / CHARACTERS_PER_TOKEN, room / CHARACTERS_PER_TOKEN));
        }
        return fillRemaining(chain, room - size);
    }

    /** Adds a skill after its required dependencies. */
    private void require(Skill skill, SequencedMap<String, Skill> chain, SequencedSet<String> path) {
        if (chain.containsKey(skill.name())) {
            return;
        }
        if (!path.add(skill.name())) {
            throw new IllegalArgumentException(
                    "the skills " + String.join(" → ", path) + " → " + skill.name() + " need each other");
        }
        for (SkillNeed need : skill.needs()) {
            Optional<Skill> found = skill(need.skill());
            if (need.required()) {
                require(found.orElseThrow(() -> missing(skill, need)), chain, path);
            }
        }
        path.removeLast();
        chain.put(skill.name(), skill);
    }

    private static IllegalArgumentException missing(Skill skill, SkillNeed need) {
        return new IllegalArgumentException(
                "the skill '%s' needs the skill '%s', which does not exist".formatted(skill.name(), need.skill()));
    }

    private Optional<Skill> skill(String name) {
        Entry entry = entries.get(name);
        return entry == null ? definitions.skill(name, null) : Optional.of(entry.skill());
    }

    /** Adds what else fits: previously loaded skills by priority, then optional dependencies. */
    private Loading fillRemaining(SequencedMap<String, Skill> chain, int remaining) {
        var retained = new LinkedHashMap<String, Skill>();
        int unused = keepLoaded(retained, chain, remaining);
        dropWithoutNeeds(retained, chain);
        addOptional(retained, chain, unused);
        return loading(retained, chain);
    }

    /** Keeps loaded skills by priority, as far as they fit; returns the remaining characters. */
    private int keepLoaded(Map<String, Skill> retained, Map<String, Skill> chain, int remaining) {
        int unused = remaining;
        for (Skill skill : byPriority(loaded)) {
            if (!chain.containsKey(skill.name()) && skill.text().length() <= unused) {
                retained.put(skill.name(), skill);
                unused -= skill.text().length();
            }
        }
        return unused;
    }

    /** Adds optional dependencies that have no dependencies, as far as they fit. */
    private void addOptional(Map<String, Skill> retained, Map<String, Skill> chain, int remaining) {
        int unused = remaining;
        List<Skill> optional = chain.values().stream()
                .flatMap(skill -> skill.needs().stream())
                .filter(need -> !need.required())
                .flatMap(need -> skill(need.skill()).stream())
                .filter(skill -> skill.needs().isEmpty() && !chain.containsKey(skill.name()))
                .toList();
        for (Skill skill : optional) {
            if (skill.text().length() <= unused && retained.putIfAbsent(skill.name(), skill) == null) {
                unused -= skill.text().length();
            }
        }
    }

    /** The loaded skills and this one; without it if it cannot be loaded. */
    public List<Skill> with(String name) {
        try {
            return load(name).loaded();
        } catch (IllegalArgumentException e) {
            return loaded;
        }
    }

    /** The loaded skills, and further ones by priority, as far as they fit. */
    public List<Skill> fitting() {
        Skills now = this;
        for (Skill skill : byPriority(all().reversed())) {
            List<Skill> extended = now.with(skill.name());
            if (extended.containsAll(now.loaded)) {
                now = new Skills(entries, loadable, extended, room, definitions);
            }
        }
        return now.loaded;
    }

    /** The skills that stay loaded when this one is unloaded. */
    public List<Skill> without(String name) {
        var retained = new LinkedHashMap<String, Skill>();
        loaded.stream().filter(skill -> !skill.name().equals(name)).forEach(skill -> retained.put(skill.name(), skill));
        dropWithoutNeeds(retained, Map.of());
        return List.copyOf(retained.values());
    }

    private Loading loading(Map<String, Skill> retained, SequencedMap<String, Skill> chain) {
        Map<String, Skill> before = new HashMap<>();
        loaded.forEach(skill -> before.put(skill.name(), skill));
        var merged = new LinkedHashMap<String, Skill>();
        loaded.stream()
                .filter(skill -> retained.containsKey(skill.name()) || chain.containsKey(skill.name()))
                .forEach(skill ->
                        merged.put(skill.name(), retained.getOrDefault(skill.name(), chain.get(skill.name()))));
        retained.forEach(merged::putIfAbsent);
        chain.forEach(merged::putIfAbsent);
        refuseContradictions(merged.values());
        var added = merged.values().stream()
                .filter(skill -> !skill.equals(before.get(skill.name())))
                .toList();
        var dropped = loaded.stream()
                .map(Skill::name)
                .filter(name -> !merged.containsKey(name))
                .toList();
        return new Loading(List.copyOf(merged.values()), added, dropped);
    }

    /**
     * Rejects skills of which one locks an argument that another sets differently.
     *
     * @throws IllegalArgumentException naming both skills
     */
    private static void refuseContradictions(Collection<Skill> skills) {
        var links = new HashMap<String, SkillTool>();
        var owners = new HashMap<String, String>();
        for (Skill skill : skills) {
            for (SkillTool link : skill.tools()) {
                SkillTool other = links.putIfAbsent(link.tool(), link);
                if (other != null && !other.equals(link) && (other.locked() || link.locked())) {
                    throw new IllegalArgumentException(
                            "the skills '%s' and '%s' want '%s' to be called differently; unload one of them first"
                                    .formatted(owners.get(link.tool()), skill.name(), link.tool()));
                }
                owners.putIfAbsent(link.tool(), skill.name());
            }
        }
    }

    private List<Skill> byPriority(List<Skill> skills) {
        var sorted = new ArrayList<>(skills.reversed()); // of two with the same priority, the later loaded one stays
        sorted.sort(Comparator.comparingInt(this::priority).reversed());
        return sorted;
    }

    private int priority(Skill skill) {
        Entry entry = entries.get(skill.name());
        return entry == null ? 0 : entry.priority();
    }

    /** Removes skills whose required dependencies were removed. */
    private void dropWithoutNeeds(Map<String, Skill> retained, Map<String, Skill> chain) {
        boolean changed = true;
        while (changed) {
            changed = retained.values()
                    .removeIf(skill -> skill.needs().stream()
                            .anyMatch(need -> need.required()
                                    && !retained.containsKey(need.skill())
                                    && !chain.containsKey(need.skill())));
        }
    }

    /** The skill's path from its topmost parent: {@code office > mail > newsletters}. */
    public String path(Skill skill) {
        var path = new ArrayList<String>();
        for (Skill part = skill; part != null && !path.contains(part.name()) && path.size() < 10; ) {
            path.addFirst(part.name());
            part = part.parent() == null ? null : skill(part.parent()).orElse(null);
        }
        return String.join(" > ", path);
    }
}
