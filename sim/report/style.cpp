#include "sim/report/style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace flotilla::report {

namespace {

bool is_set(const char* variable) { return variable != nullptr && *variable != '\0'; }

bool names_utf8(const char* locale) {
  if (!is_set(locale)) return false;
  std::string name(locale);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::strong:
      return "1";
    case Paint::faint:
      return "2";
    case Paint::good:
      return "1;32";
    case Paint::bad:
      return "1;31";
    case Paint::accent:
      return "36";
    case Paint::forward:
      return "97;44";
    case Paint::forward_light:
      return "30;104";
    case Paint::backward:
      return "30;42";
    case Paint::backward_light:
      return "30;102";
    case Paint::mixed:
      return "30;46";
    case Paint::optimizer:
      return "30;43";
    case Paint::exchange:
      return "31";
  }
  return "";
}

// Bytes of the UTF-8 sequence that starts at `at` (1 for a malformed one), and its code point.
struct CodePoint {
  std::size_t length;
  std::uint32_t value;
};

CodePoint code_point(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
  if (length == 1 || at + length > text.size()) return {1, first};
  std::uint32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if (next >> 6 != 2) return {1, first};
    value = value << 6 | (next & 0x3FU);
  }
  return {length, value};
}

int columns_of(std::uint32_t c) {
  const auto within = [c](std::uint32_t low, std::uint32_t high) { return c >= low && c <= high; };
  if (within(0x300, 0x36F) || within(0x200B, 0x200F) || within(0xFE00, 0xFE0F)) return 0;
  const bool wide = within(0x1100, 0x115F) || within(0x2E80, 0xA4CF) || within(0xAC00, 0xD7A3) ||
                    within(0xF900, 0xFAFF) || within(0xFE30, 0xFE6F) || within(0xFF00, 0xFF60) ||
                    within(0xFFE0, 0xFFE6) || within(0x1F300, 0x1FAFF) || within(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

// Control characters, and those that turn the direction of the text behind them.
bool steers(std::uint32_t c) {
  const auto within = [c](std::uint32_t low, std::uint32_t high) { return c >= low && c <= high; };
  return c < 0x20 || within(0x7F, 0x9F) || within(0x202A, 0x202E) || within(0x2066, 0x2069);
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

}  // namespace

Style style_for(const Surroundings& s) {
  const bool dumb = !is_set(s.term) || std::strcmp(s.term, "dumb") == 0;
  const bool fancy = s.terminal && !dumb && !is_set(s.no_color) && names_utf8(s.locale);
  int width = s.terminal_width;
  if (is_set(s.columns)) {
    const long columns = std::strtol(s.columns, nullptr, 10);
    if (columns > 0) width = static_cast<int>(std::min<long>(columns, widest_page));
  }
  width = width > 0 ? std::clamp(width, narrowest_page, widest_page) : widest_page;
  return {.colour = fancy, .unicode = fancy, .width = width};
}

Style detect_style(int fd) {
  Surroundings s;
  s.terminal = isatty(fd) == 1;
  winsize size{};
  if (s.terminal && ioctl(fd, TIOCGWINSZ, &size) == 0) s.terminal_width = size.ws_col;
  s.no_color = std::getenv("NO_COLOR");
  s.term = std::getenv("TERM");
  s.columns = std::getenv("COLUMNS");
  for (const char* name : {"LANG", "LC_CTYPE", "LC_ALL"}) {
    const char* value = std::getenv(name);
    if (is_set(value)) s.locale = value;
  }
  return style_for(s);
}

std::string painted(std::string_view text, Paint paint, const Style& style) {
  if (!style.colour || paint == Paint::plain || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code_of(paint)) + "m" + std::string(text) + "\x1b[0m";
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      const std::size_t end = text.find('m', i);
      i = end == std::string_view::npos ? text.size() : end + 1;
      continue;
    }
    const CodePoint point = code_point(text, i);
    width += columns_of(point.value);
    i += point.length;
  }
  return width;
}

std::string padded_right(std::string_view text, int width) {
  return std::string(text) + spaces(width - display_width(text));
}

std::string padded_left(std::string_view text, int width) {
  return spaces(width - display_width(text)) + std::string(text);
}

std::string shortened(std::string_view text, int width, const Style& style) {
  if (display_width(text) <= width) return std::string(text);
  const std::string_view ellipsis = style.unicode ? "\u2026" : "..";
  const int room = width - display_width(ellipsis);
  std::string result;
  int used = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = code_point(text, i);
    used += columns_of(point.value);
    if (used > room) break;
    result += text.substr(i, point.length);
    i += point.length;
  }
  return room < 0 ? std::string() : result + std::string(ellipsis);
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = code_point(text, i);
    result += steers(point.value) ? "?" : text.substr(i, point.length);
    i += point.length;
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, int width, const Style& style,
                                 std::string_view separator) {
  if (display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines;
  std::string line;
  const auto add = [&](std::string_view word) {
    const std::string fitting = shortened(word, width, style);
    if (!line.empty() &&
        display_width(line) + display_width(separator) + display_width(fitting) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += line.empty() ? fitting : std::string(separator) + fitting;
  };
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) add(text.substr(start, end - start));
    start = end + separator.size();
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace flotilla::report
