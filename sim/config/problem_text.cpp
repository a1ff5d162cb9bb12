// How a problem looks on a terminal.
#include <algorithm>

#include "sim/config/problem.h"

namespace flotilla::config {

namespace {

constexpr std::size_t kWidth = 100;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The length of the well-formed UTF-8 character that starts here, 0 when it is malformed.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues_character(text[at + i])) return 0;
  }
  return length;
}

// Turns the direction of what follows it, up to U+202E and U+2069: text could pose as another.
bool turns_direction(std::string_view character) {
  return (character >= "\u202A" && character <= "\u202E") ||
         (character >= "\u2066" && character <= "\u2069");
}

// The characters of a text, safe to print: a tab is one space, so that carets stay aligned;
// control characters and malformed bytes, which could steer the terminal, are question marks.
std::vector<std::string> printable(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 1 && (c < 0x20 || c == 0x7F)) {
      characters.emplace_back(c == '\t' || c == '\n' ? " " : "?");
    } else if (length == 0) {
      characters.emplace_back("?");
      // The rest of the malformed character was not counted as a column either.
      while (i + 1 < text.size() && continues_character(text[i + 1])) ++i;
    } else if (length == 2 && c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      characters.emplace_back("?");  // C1 controls
    } else if (length == 3 && turns_direction(text.substr(i, 3))) {
      characters.emplace_back("?");
    } else {
      characters.emplace_back(text.substr(i, length));
    }
    i += std::max<std::size_t>(length, 1);
  }
  return characters;
}

std::string join(const std::vector<std::string>& parts, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, parts.size()); ++i) text += parts[i];
  return text;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

// Words of a text in lines of at most kWidth characters, each after `indent` spaces; the first
// line is short of `used` characters that are there already.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used) {
  std::string out;
  std::size_t column = used;
  bool fresh = true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t gap = std::min(text.find_first_not_of(' ', i), text.size());
    const std::size_t end = std::min(text.find(' ', gap), text.size());
    const std::string_view word = text.substr(gap, end - gap);
    if (!fresh && column + (gap - i) + width(word) > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else {
      out += text.substr(i, gap - i);
      column += gap - i;
    }
    out += word;
    column += width(word);
    fresh = false;
    i = end;
  }
  return out;
}

// A text whose words are at most `longest` characters, safe to print.
std::string clean(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    out += excerpt(text.substr(i, end - i), longest);
    if (end < text.size()) out += ' ';
    i = end + 1;
  }
  return out;
}

constexpr std::size_t kLongestWord = 60;  // of a message: it may echo whatever was typed
constexpr std::size_t kLongestFile = 80;

// The caret and, after it, the message: beside it when there is room, below it when not.
std::string caret_line(std::string prefix, std::size_t column, std::size_t length,
                       const std::string& message) {
  std::string out = std::move(prefix) + std::string(column, ' ') + std::string(length, '^');
  constexpr std::size_t kIndent = 2;
  if (width(out) + 1 + width(message) <= kWidth) return out + " " + message;
  return out + "\n" + std::string(kIndent, ' ') + wrapped(message, kIndent, kIndent);
}

struct Window {
  std::string text;    // the part of the source line that is shown
  std::size_t column;  // 0-based, of the caret inside it
  std::size_t length;  // of the underlined part
};

Window window(const Problem& problem, std::size_t room) {
  const std::vector<std::string> characters = printable(problem.source_line);
  const auto column = static_cast<std::size_t>(std::max(problem.column, 1) - 1);
  // A value that goes on over several lines is underlined at its first character.
  std::size_t length = static_cast<std::size_t>(std::max(problem.length, 1));
  if (column + length > characters.size()) {
    length = std::max<std::size_t>(1, characters.size() - std::min(column, characters.size()));
  }
  if (characters.size() <= room) return {join(characters, 0, room), column, length};
  const std::size_t begin = column < room / 2 ? 0 : column - room / 2;
  std::string text = join(characters, begin, begin + room);
  const std::size_t shown = column - begin;
  return {std::move(text), shown, std::min(length, room > shown ? room - shown : 1)};
}

std::string command_line_text(const Problem& problem) {
  const std::string prefix = "error: --set ";
  const Window shown = window(problem, kWidth - prefix.size());
  std::string out = prefix + shown.text;
  if (!problem.path.empty() && !problem.source_line.starts_with(problem.path + "=")) {
    out += "   (" + excerpt(problem.path) + ")";
  }
  return out + "\n" +
         caret_line(std::string(prefix.size(), ' '), shown.column, shown.length,
                    clean(problem.message, kLongestWord));
}

std::string file_text(const Problem& problem) {
  std::string out = "error: ";
  out += problem.file == "-" ? "standard input" : excerpt(problem.file, kLongestFile);
  if (problem.line > 0) {
    out += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
  }
  if (!problem.path.empty()) out += "  " + excerpt(problem.path);
  if (problem.line == 0) return out + "\n  " + wrapped(clean(problem.message, kLongestWord), 2, 2);
  const std::string number = std::to_string(problem.line);
  const std::string margin = "  " + number + " | ";
  const Window shown = window(problem, kWidth - margin.size());
  return out + "\n" + margin + shown.text + "\n" +
         caret_line("  " + std::string(number.size(), ' ') + " | ", shown.column, shown.length,
                    clean(problem.message, kLongestWord));
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t most) {
  const std::vector<std::string> characters = printable(text);
  if (characters.size() <= most) return join(characters, 0, characters.size());
  const std::size_t ends = (most - 3) / 2;
  return join(characters, 0, ends) + "..." +
         join(characters, characters.size() - ends, characters.size());
}

std::string to_text(const Problem& problem) {
  std::string out =
      problem.file == "--set" && problem.line > 0 ? command_line_text(problem) : file_text(problem);
  if (!problem.hint.empty()) out += "\n  " + wrapped(clean(problem.hint, kWidth - 2), 2, 2);
  return out + "\n";
}

std::string to_text(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) out += to_text(problem) + "\n";
  const std::size_t count = problems.size();
  return out + std::to_string(count) + (count == 1 ? " error" : " errors") + "; nothing was run.\n";
}

}  // namespace flotilla::config
