package dev.parley.workflows.jq;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Splits an expression into tokens. An interpolated string is one token with the source of its embedded expressions.
 */
final class Lexer {
    private static final List<String> OPERATORS = List.of(
            "?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "and", "or",
            "|", ",", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", ".", "?", "$");

    static final Set<String> KEYWORDS = Set.of(
            "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
            "include", "and", "or", "__loc__");

    /** Kinds of tokens. */
    enum Kind {
        OPERATOR,
        NAME,
        KEYWORD,
        FIELD,
        VARIABLE,
        FORMAT,
        NUMBER,
        STRING,
        END
    }

    /**
     * A token.
     *
     * @param text its name, sign or digits
     * @param parts of a string: texts and, between them, the sources of embedded expressions
     */
    record Token(Kind kind, String text, int at, List<String> parts) {
        boolean is(String operator) {
            return (kind == Kind.OPERATOR || kind == Kind.KEYWORD) && text.equals(operator);
        }
    }

    private final String text;
    private int at;
    private final List<Token> tokens = new ArrayList<>();

    private Lexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        return new Lexer(text).all();
    }

    private List<Token> all() {
        skip();
        while (at < text.length()) {
            tokens.add(next());
            skip();
        }
        tokens.add(new Token(Kind.END, "the end", at, List.of()));
        return tokens;
    }

    private void skip() {
        while (at < text.length()) {
            if (text.charAt(at) == '#') {
                while (at < text.length() && text.charAt(at) != '\n') {
                    at++;
                }
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                return;
            }
        }
    }

    private Token next() {
        int from = at;
        char sign = text.charAt(at);
        if (sign == '"') {
            return string();
        }
        char following = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (Character.isDigit(sign) || sign == '.' && Character.isDigit(following)) {
            return number();
        }
        if (isNameStart(sign)) {
            String name = name();
            return new Token(KEYWORDS.contains(name) ? Kind.KEYWORD : Kind.NAME, name, from, List.of());
        }
        if (".$@".indexOf(sign) >= 0 && isNameStart(following)) {
            return prefixedName(sign);
        }
        return operator();
    }

    /** A name after its sign: a field, a variable or a format. */
    private Token prefixedName(char sign) {
        int from = at++;
        return switch (sign) {
            case '.' -> new Token(Kind.FIELD, simpleName(), from, List.of());
            case '$' -> new Token(Kind.VARIABLE, name(), from, List.of());
            default -> new Token(Kind.FORMAT, "@" + simpleName(), from, List.of());
        };
    }

    private Token operator() {
        int from = at;
        for (String operator : OPERATORS) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return new Token(Kind.OPERATOR, operator, from, List.of());
            }
        }
        throw new JqSyntaxException("'" + text.charAt(at) + "' is not expected here", at);
    }

    private static boolean isNameStart(char sign) {
        return sign == '_' || sign >= 'a' && sign <= 'z' || sign >= 'A' && sign <= 'Z';
    }

    private String simpleName() {
        int from = at;
        while (at < text.length() && (isNameStart(text.charAt(at)) || Character.isDigit(text.charAt(at)))) {
            at++;
        }
        return text.substring(from, at);
    }

    private String name() {
        String name = simpleName();
        while (text.startsWith("::", at) && at + 2 < text.length() && isNameStart(text.charAt(at + 2))) {
            at += 2;
            name += "::" + simpleName();
        }
        return name;
    }

    private Token number() {
        int from = at;
        digits();
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            digits();
        }
        String number = text.substring(from, at);
        try {
            new BigDecimal(number);
        } catch (NumberFormatException e) {
            throw new JqSyntaxException("'" + number + "' is not a number", from);
        }
        return new Token(Kind.NUMBER, number, from, List.of());
    }

    private void digits() {
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            at++;
        }
    }

    private Token string() {
        int from = at++;
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        for (char sign = take(from); sign != '"'; sign = take(from)) {
            if (sign != '\\') {
                part.append(sign);
            } else if (sign(from) == '(') {
                at++;
                parts.add(part.toString());
                part = new StringBuilder();
                parts.add(value(from));
            } else {
                part.append(unescape(take(from), from));
            }
        }
        parts.add(part.toString());
        return new Token(Kind.STRING, parts.getFirst(), from, parts);
    }

    private char take(int from) {
        char sign = sign(from);
        at++;
        return sign;
    }

    private char sign(int from) {
        if (at >= text.length()) {
            throw new JqSyntaxException("a string has no end", from);
        }
        return text.charAt(at);
    }

    private char unescape(char sign, int from) {
        return switch (sign) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> sign;
            case 'u' -> {
                try {
                    at += 4;
                    yield (char) HexFormat.fromHexDigits(text, at - 4, at);
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    throw new JqSyntaxException("\\u requires four hexadecimal digits", from);
                }
            }
            default -> throw new JqSyntaxException("'\\" + sign + "' is not an escape sequence", at - 2);
        };
    }

    /** The source of an interpolated expression, up to its closing bracket. */
    private String value(int from) {
        int begin = at;
        int open = 1;
        while (true) {
            char sign = sign(from);
            if (sign == '"') {
                string();
                continue;
            }
            at++;
            open += sign == '(' ? 1 : sign == ')' ? -1 : 0;
            if (open == 0) {
                return text.substring(begin, at - 1);
            }
        }
    }
}
