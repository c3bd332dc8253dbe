package dev.parley.domain.protocol;

import java.util.Set;

/** What a person thinks of an answer. */
public enum Opinion {
    GOOD,
    BAD,
    /** A reaction that is neither, such as eyes. */
    OTHER,
    /** The person takes their opinion back. */
    WITHDRAWN;

    private static final Set<String> GOOD_REACTIONS = Set.of(
            "👍",
            "❤",
            "🧡",
            "💛",
            "💚",
            "💙",
            "💜",
            "🔥",
            "🎉",
            "👏",
            "🙏",
            "💯",
            "🏆",
            "😍",
            "🥰",
            "🤩",
            "⭐",
            "🌟",
            "✅",
            "👌",
            "🙌",
            "+1",
            "thumbsup",
            "heart",
            "fire",
            "tada",
            "clap",
            "pray",
            "100",
            "trophy",
            "heart_eyes",
            "star-struck",
            "star",
            "white_check_mark",
            "ok_hand",
            "raised_hands",
            "like");
    private static final Set<String> BAD_REACTIONS = Set.of(
            "👎",
            "💩",
            "🤮",
            "🤬",
            "😡",
            "😠",
            "❌",
            "🖕",
            "🤦",
            "-1",
            "thumbsdown",
            "hankey",
            "poop",
            "face_vomiting",
            "rage",
            "angry",
            "x",
            "facepalm",
            "dislike");
    private static final String DETAILS = "[\\x{1F3FB}-\\x{1F3FF}]|\\x{FE0F}|::skin-tone-\\d";

    /** The opinion that a reaction shows: an emoji, or its short name on Slack, in any skin tone. */
    public static Opinion of(String reaction) {
        String plain = reaction.replaceAll(DETAILS, "");
        return GOOD_REACTIONS.contains(plain) ? GOOD : BAD_REACTIONS.contains(plain) ? BAD : OTHER;
    }
}
