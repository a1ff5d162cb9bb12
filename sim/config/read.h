// From JSON objects to the structs of this folder: types, ranges, and what holds inside one object.
// What ties several objects together is checked in check.h. Those that take a Reader& leave its
// finish() to the caller, who knows the objects beside it.
#pragma once

#include "sim/config/model.h"
#include "sim/config/platform.h"
#include "sim/config/reader.h"
#include "sim/config/scenario.h"
#include "sim/config/stage_split.h"

namespace flotilla::config {

void read_model(Reader& in, Model& model);
void read_gpu(Reader in, Gpu& gpu);
void read_link(Reader in, Link& link);
void read_node(Reader in, Node& node);
// The keys "tiers" and "network" of a platform, and afterwards what ties them to its nodes.
void read_network(Reader& in, Platform& platform);
void check_network(Reader& in, const Platform& platform);
void read_platform(Reader in, Platform& platform);
// layout.stage_layers stays empty unless it is given; `split` gets the first and the last stage.
void read_layout(Reader& in, Layout& layout, SplitRequest& split);
void read_training(Reader& in, Training& training);

// layout.placement: "packed", or the GPU of each rank.
void read_placement(Reader& in, Layout& layout);
void check_placement(Reader& layout_in, const Scenario& scenario);
// The scenario's list of elements that are worse than the platform says.
void read_degraded(Reader& in, std::vector<Degraded>& degraded);
void check_degraded(Reader& in, const Scenario& scenario);

// The words of the choices, as JSON and messages spell them.
const Choices<LinkKind>& link_kinds();
const Choices<NetworkKind>& network_kinds();
const Choices<Precision>& precision_names();
const Choices<ScheduleKind>& schedule_names();

// The word of a meaning.
template <class E>
std::string name_of(E meaning, const Choices<E>& choices) {
  for (const auto& [name, value] : choices) {
    if (value == meaning) return name;
  }
  return "?";
}

}  // namespace flotilla::config
